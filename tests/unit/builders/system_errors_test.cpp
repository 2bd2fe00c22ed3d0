// Malformed system files: the whole message, as the user sees it.

#include <gtest/gtest.h>

#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

// Lines 1 to 17 are two_gpus(): the device tables begin at 3 and 10, the link table at 13.
struct Case {
  const char* what;
  std::string text;
  std::string message;
};

std::string gpu_with(std::string_view key_and_value) {
  return "name = \"x\"\n[node]\n[[node.device]]\nname = \"gpu\"\nkind = \"gpu\"\n" +
         std::string(key_and_value) + "\n";
}

std::vector<Case> cases() {
  const std::string gpu =
      "model = \"X\"\ncompute_capability = 90\nmemory = \"80 GiB\"\n"
      "memory_copy = \"1 TB/s\"\n";
  return {
      {"no name", "[node]\n", "?"},
      {"an empty name", "name = \"\"\n[node]\n", "?"},
      {"a name of two lines", "name = \"a\\nb\"\n[node]\n", "?"},
      {"no node", "name = \"x\"\n", "?"},
      {"no devices", "name = \"x\"\n[node]\n", "?"},
      {"no GPU", "name = \"x\"\n[node]\n[[node.device]]\nname = \"c\"\nkind = \"cpu\"\n", "?"},
      {"zero GPUs", gpu_with("count = 0\n" + gpu), "?"},
      {"a thousand million GPUs", gpu_with("count = 1000000000\n" + gpu), "?"},
      {"too many devices in all",
       two_gpus("[[node.device]]\nname = \"n\"\nkind = \"nic\"\n"
                "count = 65534\n"),
       "?"},
      {"unknown kind", "name = \"x\"\n[node]\n[[node.device]]\nname = \"g\"\nkind = \"gpuu\"\n",
       "?"},
      {"a name with a star", "name = \"x\"\n[node]\n[[node.device]]\nname = \"g*\"\n", "?"},
      {"a name twice", two_gpus("[[node.device]]\nname = \"gpu1\"\nkind = \"nic\"\n"), "?"},
      {"memory without unit", gpu_with("model = \"X\"\ncompute_capability = 90\nmemory = 80.5\n"),
       "?"},
      {"a copy rate with direction",
       gpu_with("model = \"X\"\ncompute_capability = 90\nmemory = \"80 GiB\"\n"
                "memory_copy = \"1 TB/s bidir\"\n"),
       "?"},
      {"a key of another kind",
       two_gpus("[[node.device]]\nname = \"c\"\nkind = \"cpu\"\nmemory = \"1 TiB\"\n"), "?"},
      {"unknown preset",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlink = \"nvlnk4\"\n"), "?"},
      {"unknown device",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu7\"\nlink = \"pcie5\"\n"), "?"},
      {"a link to itself",
       two_gpus("[[node.link]]\nfrom = \"gpu*\"\nto = \"gpu*\"\nlink = \"pcie5\"\n"), "?"},
      {"a device twice",
       two_gpus("[[node.link]]\nfrom = [\"gpu*\", \"gpu1\"]\nto = \"psw\"\nlink = \"pcie5\"\n"),
       "?"},
      {"uneven pairs",
       two_gpus(
           "[[node.link]]\nfrom = \"gpu*\"\nto = \"psw\"\npairs = \"each\"\nlink = \"pcie5\"\n"),
       "?"},
      {"a mesh with two sides",
       two_gpus(
           "[[node.link]]\nfrom = \"gpu*\"\nto = \"psw\"\npairs = \"mesh\"\nlink = \"pcie5\"\n"),
       "?"},
      {"no preset and no class",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlnk = \"pcie5\"\n"), "?"},
      {"a custom link without rate",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nclass = \"nvlink\"\n"), "?"},
      {"preset and class", two_gpus("class = \"nvlink\"\n"), "?"},
      {"a rate without unit", two_gpus("rate = 50\n"), "?"},
      {"a rate of zero", two_gpus("rate = \"0 GB/s\"\n"), "?"},
      {"a negative rate", two_gpus("rate = \"-5 GB/s\"\n"), "?"},
      {"a rate that is no number", two_gpus("rate = \"nan\"\n"), "?"},
      {"a rate beyond all links", two_gpus("rate = \"900 TB/s\"\n"), "?"},
      {"a rate far below all links", two_gpus("rate = \"9 kb/s\"\n"), "?"},
      {"transfers on NVLink",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlink = \"nvlink4\"\nrate = \"32 "
                "GT/s\"\n"),
       "?"},
      {"efficiency above one", two_gpus("efficiency = 1.5\n"), "?"},
      {"a latency of an hour", two_gpus("latency = \"3600 s\"\n"), "?"},
      {"no such width", two_gpus("lanes = 3\n"), "?"},
      {"count of a PCIe link", two_gpus("count = 2\n"), "?"},
      {"lanes of NVLink",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlink = \"nvlink4\"\nlanes = 2\n"),
       "?"},
      {"a misspelt key", two_gpus("latancy = \"1 us\"\n"), "?"},
      {"GPUs apart", gpu_with("count = 2\n" + gpu), "?"},
      {"many GPUs apart", gpu_with("count = 9\n" + gpu), "?"},
      {"an unknown reach", "name = \"x\"\n[node]\nuse = \"dgx-a100\"\npeer_to_peer = \"on\"\n",
       "?"},
      {"an unknown system", "name = \"x\"\n[node]\nuse = \"dgx-z\"\n", "?"},
      {"use beside devices", "name = \"x\"\n[node]\nuse = \"dgx-a100\"\n[[node.link]]\n", "?"},
      {"other GPUs without use", two_gpus("[node.gpu]\nmodel = \"Y\"\n"), "?"},
      {"several servers", "name = \"x\"\n[node]\ncount = 4\nuse = \"dgx-a100\"\n", "?"},
      {"a fabric", "name = \"x\"\n[node]\nuse = \"dgx-a100\"\n[fabric]\nkind = \"fat-tree\"\n",
       "?"},
      {"a single device table", "name = \"x\"\n[node]\n[node.device]\nname = \"g\"\n", "?"},
  };
}

TEST(SystemErrors, EveryMistakeIsAnsweredWithWhereWhatAndHow) {
  for (const Case& c : cases()) {
    EXPECT_EQ(refusal(c.text), c.message) << c.what;
  }
}

// More links than memory should hold are counted before the first is made.
TEST(SystemErrors, TooManyLinksAreRefusedBeforeTheyAreMade) {
  EXPECT_EQ(refusal("name = \"x\"\n[node]\n[[node.device]]\nname = \"gpu\"\nkind = \"gpu\"\n"
                    "count = 65536\nmodel = \"X\"\ncompute_capability = 90\nmemory = \"1 GiB\"\n"
                    "memory_copy = \"1 TB/s\"\n[[node.link]]\nfrom = \"gpu*\"\npairs = \"mesh\"\n"
                    "link = \"nvlink4\"\n"),
            "?");
}

TEST(SystemErrors, AnOverrideIsNamedInsteadOfALine) {
  EXPECT_EQ(refusal(two_gpus(), {{"node.link.0.lanes", "3"}}), "?");
  EXPECT_EQ(refusal(two_gpus(), {{"node.link.7.lanes", "8"}}), "?");
  EXPECT_EQ(refusal("name = \"x\"\n[node]\nuse = \"dgx-h100\"\n", {{"node.link.0.cnt", "9"}}), "?");
}

}  // namespace
}  // namespace ringspan
