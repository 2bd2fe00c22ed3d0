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
      {"no name", "[node]\n",
       "f.toml:1:1: error: missing key 'name'\n"
       "hint: add name = \"...\""},
      {"an empty name", "name = \"\"\n[node]\n",
       "f.toml:1:8: error: the name is empty\n"
       "hint: write one line of text"},
      {"a name of two lines", "name = \"a\\nb\"\n[node]\n",
       "f.toml:1:8: error: the name has a line break or control character\n"
       "hint: write one line of text"},
      {"no node", "name = \"x\"\n",
       "f.toml:1:1: error: missing key 'node'\n"
       "hint: add node = { ... } or a table [node]"},
      {"no devices", "name = \"x\"\n[node]\n",
       "f.toml:2:1: error: the server has no GPU\n"
       "hint: add a [[node.device]] with kind = \"gpu\", or use = \"NAME\" of another system"},
      {"no GPU", "name = \"x\"\n[node]\n[[node.device]]\nname = \"c\"\nkind = \"cpu\"\n",
       "f.toml:3:1: error: the server has no GPU\n"
       "hint: add a [[node.device]] with kind = \"gpu\", or use = \"NAME\" of another system"},
      {"a generation of no Intel CPU",
       "name = \"x\"\n[node]\n[[node.device]]\nname = \"c\"\nkind = \"cpu\"\nvendor = \"amd\"\n"
       "generation = \"skylake\"\n",
       "f.toml:7:14: error: only of Intel's CPUs does the generation matter\n"
       "hint: remove generation, or write vendor = \"intel\""},
      {"an unknown generation",
       "name = \"x\"\n[node]\n[[node.device]]\nname = \"c\"\nkind = \"cpu\"\nvendor = \"intel\"\n"
       "generation = \"skylark\"\n",
       "f.toml:7:14: error: 'generation' in [[node.device]] cannot be 'skylark'\n"
       "hint: did you mean 'skylake'?"},
      {"zero GPUs", gpu_with("count = 0\n" + gpu),
       "f.toml:6:9: error: 'count' in [[node.device]] is out of range: 0\n"
       "hint: allowed: at least 1"},
      {"a thousand million GPUs", gpu_with("count = 1000000000\n" + gpu),
       "f.toml:6:9: error: 1000000000 devices are too many for one server\n"
       "hint: at most 65536"},
      {"too many devices in all",
       two_gpus("[[node.device]]\nname = \"n\"\nkind = \"nic\"\n"
                "count = 65534\n"),
       "f.toml:21:9: error: 65534 devices are too many for one server\n"
       "hint: at most 65536 in all; 3 stand above"},
      {"unknown kind", "name = \"x\"\n[node]\n[[node.device]]\nname = \"g\"\nkind = \"gpuu\"\n",
       "f.toml:5:8: error: 'kind' in [[node.device]] cannot be 'gpuu'\n"
       "hint: did you mean 'gpu'?"},
      {"a name with a star", "name = \"x\"\n[node]\n[[node.device]]\nname = \"g*\"\n",
       "f.toml:4:8: error: 'g*' cannot be a device name\n"
       "hint: use letters, digits, '-', '_' and '.'"},
      {"a name twice", two_gpus("[[node.device]]\nname = \"gpu1\"\nkind = \"nic\"\n"),
       "f.toml:19:8: error: there are two devices called 'gpu1'\n"
       "hint: give every device its own name"},
      {"memory without unit", gpu_with("model = \"X\"\ncompute_capability = 90\nmemory = 80.5\n"),
       "f.toml:8:10: error: 'memory' in [[node.device]] needs a unit, got the bare number 80.5\n"
       "hint: write \"80.5 GiB\""},
      {"memory in bare bytes", gpu_with("model = \"X\"\ncompute_capability = 90\nmemory = 80\n"),
       "f.toml:8:10: error: 80 B is no memory of a GPU\n"
       "hint: append the unit, such as \"80 GiB\""},
      {"a copy rate with direction",
       gpu_with("model = \"X\"\ncompute_capability = 90\nmemory = \"80 GiB\"\n"
                "memory_copy = \"1 TB/s bidir\"\n"),
       "f.toml:9:15: error: a local copy has no lanes and no direction\n"
       "hint: write the bytes copied per second, such as \"1400 GB/s\""},
      {"a key of another kind",
       two_gpus("[[node.device]]\nname = \"c\"\nkind = \"cpu\"\nmemory = \"1 TiB\"\n"),
       "f.toml:21:1: error: unknown key 'memory' in [[node.device]]\n"
       "hint: one of: name, count, kind, vendor, generation"},
      {"unknown preset",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlink = \"nvlnk4\"\n"),
       "f.toml:21:8: error: unknown link preset 'nvlnk4'\n"
       "hint: did you mean 'nvlink4'?"},
      {"unknown device",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu7\"\nlink = \"pcie5\"\n"),
       "f.toml:20:6: error: there is no device 'gpu7'\n"
       "hint: did you mean 'gpu0'?"},
      {"a link to itself",
       two_gpus("[[node.link]]\nfrom = \"gpu*\"\nto = \"gpu*\"\nlink = \"pcie5\"\n"),
       "f.toml:20:6: error: 'gpu0' is linked to itself\n"
       "hint: pairs = \"mesh\" links the devices of `from` with each other"},
      {"a device twice",
       two_gpus("[[node.link]]\nfrom = [\"gpu*\", \"gpu1\"]\nto = \"psw\"\nlink = \"pcie5\"\n"),
       "f.toml:19:8: error: 'gpu1' is named twice\n"
       "hint: name every device once; use count for parallel links"},
      {"uneven pairs",
       two_gpus(
           "[[node.link]]\nfrom = \"gpu*\"\nto = \"psw\"\npairs = \"each\"\nlink = \"pcie5\"\n"),
       "f.toml:21:9: error: pairs = \"each\" needs as many devices in `to` as in `from`: there are "
       "1 and 2\n"
       "hint: name the same number on both sides, or write pairs = \"all\""},
      {"a mesh with two sides",
       two_gpus(
           "[[node.link]]\nfrom = \"gpu*\"\nto = \"psw\"\npairs = \"mesh\"\nlink = \"pcie5\"\n"),
       "f.toml:20:6: error: pairs = \"mesh\" links the devices of `from` with each other\n"
       "hint: remove to"},
      {"no preset and no class",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlnk = \"pcie5\"\n"),
       "f.toml:21:1: error: unknown key 'lnk', and 'link' in [[node.link]] is missing\n"
       "hint: did you mean 'link'?"},
      {"a custom link without rate",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nclass = \"nvlink\"\n"),
       "f.toml:18:1: error: missing key 'rate' in [[node.link]]\n"
       "hint: add rate = \"50 GB/s\""},
      {"preset and class", two_gpus("class = \"nvlink\"\n"),
       "f.toml:18:9: error: the preset 'pcie5' has a class already\n"
       "hint: remove class, or remove link and give class, rate and latency"},
      {"a rate without unit", two_gpus("rate = 50\n"),
       "f.toml:18:8: error: 'rate' in [[node.link]] needs a unit, got the bare number 50\n"
       "hint: write \"50 GB/s\""},
      {"a rate of zero", two_gpus("rate = \"0 GB/s\"\n"),
       "f.toml:18:8: error: 'rate' in [[node.link]] must be above zero\n"
       "hint: remove the link instead of giving it no rate"},
      {"a negative rate", two_gpus("rate = \"-5 GB/s\"\n"),
       "f.toml:18:8: error: 'rate' in [[node.link]]: '-5 GB/s' is negative\n"
       "hint: a rate must not be below zero"},
      {"a rate that is no number", two_gpus("rate = \"nan\"\n"),
       "f.toml:18:8: error: 'rate' in [[node.link]]: 'nan' is not a finite number\n"
       "hint: write a rate as a decimal number and a unit, for example \"50 GB/s\""},
      {"a rate beyond all links", two_gpus("rate = \"900 TB/s\"\n"),
       "f.toml:18:8: error: 900 TB/s is no rate of a link\n"
       "hint: from 1 MB/s to 125 TB/s per direction, after lanes or count"},
      {"a rate far below all links", two_gpus("rate = \"9 kb/s\"\n"),
       "f.toml:18:8: error: 1.125 KB/s is no rate of a link\n"
       "hint: from 1 MB/s to 125 TB/s per direction, after lanes or count"},
      {"transfers on NVLink",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlink = \"nvlink4\"\nrate = \"32 "
                "GT/s\"\n"),
       "f.toml:22:8: error: GT/s counts the transfers of a PCIe lane; this link's class is nvlink\n"
       "hint: write what one link carries per direction, such as \"25 GB/s\""},
      {"efficiency above one", two_gpus("efficiency = 1.5\n"),
       "f.toml:18:14: error: 'efficiency' in [[node.link]] is out of range: 1.5\n"
       "hint: allowed: 0.001 to 1"},
      {"a latency of an hour", two_gpus("latency = \"3600 s\"\n"),
       "f.toml:18:11: error: 3600 s is no latency of a link\n"
       "hint: at most 1 s"},
      {"no such width", two_gpus("lanes = 3\n"),
       "f.toml:18:9: error: PCIe has no x3 link\n"
       "hint: 1, 2, 4, 8, 12, 16 or 32"},
      {"count of a PCIe link", two_gpus("count = 2\n"),
       "f.toml:18:9: error: a PCIe link is one link of several lanes\n"
       "hint: write lanes = 16"},
      {"lanes of NVLink",
       two_gpus("[[node.link]]\nfrom = \"gpu0\"\nto = \"gpu1\"\nlink = \"nvlink4\"\nlanes = 2\n"),
       "f.toml:22:9: error: a link of class nvlink has no lanes\n"
       "hint: write count = N for N parallel links"},
      {"a misspelt key", two_gpus("latancy = \"1 us\"\n"),
       "f.toml:18:1: error: unknown key 'latancy' in [[node.link]]\n"
       "hint: did you mean 'latency'?"},
      {"GPUs apart", gpu_with("count = 2\n" + gpu),
       "f.toml:2:1: error: no links lead from gpu0 to gpu1\n"
       "hint: add [[node.link]] tables until every GPU reaches every other one"},
      {"many GPUs apart", gpu_with("count = 9\n" + gpu),
       "f.toml:2:1: error: no links lead from gpu0 to gpu1, gpu2, gpu3, gpu4 and 4 more\n"
       "hint: add [[node.link]] tables until every GPU reaches every other one"},
      {"an unknown reach", "name = \"x\"\n[node]\nuse = \"dgx-a100\"\npeer_to_peer = \"on\"\n",
       "f.toml:4:16: error: 'peer_to_peer' in [node] cannot be 'on'\n"
       "hint: one of: off, switch, socket, all"},
      {"an unknown system", "name = \"x\"\n[node]\nuse = \"dgx-z\"\n",
       "f.toml:3:7: error: there is no system 'dgx-z'\n"
       "hint: `ringspan list systems` shows the catalogue; a file is written with its path, "
       "\"./other.toml\""},
      {"use beside devices", "name = \"x\"\n[node]\nuse = \"dgx-a100\"\n[[node.link]]\n",
       "f.toml:4:1: error: a node with `use` has no links of its own\n"
       "hint: remove use, or remove every [[node.link]]"},
      {"other GPUs without use", two_gpus("[node.gpu]\nmodel = \"Y\"\n"),
       "f.toml:18:1: error: [node.gpu] replaces the GPUs of the system that `use` names\n"
       "hint: describe the GPUs in their [[node.device]], or add use = \"NAME\""},
      {"several servers without a fabric",
       "name = \"x\"\n[node]\ncount = 4\nuse = \"v100-pcie-4x\"\n",
       "f.toml:3:9: error: 4 servers: several servers need a fabric, and x has none\n"
       "hint: add a table [fabric], such as kind = \"single-switch\" and link = \"ib-ndr\""},
      {"no servers", "name = \"x\"\n[node]\ncount = 0\nuse = \"dgx-a100\"\n",
       "f.toml:3:9: error: 'count' in [node] is out of range: 0\n"
       "hint: allowed: at least 1"},
      {"a thousand million servers",
       "name = \"x\"\n[node]\ncount = 1000000000\nuse = \"dgx-a100\"\n",
       "f.toml:3:9: error: 1000000000 servers are too many\n"
       "hint: at most 1048576"},
      {"an unknown network",
       two_gpus("[[node.device]]\nname = \"n\"\nkind = \"nic\"\nnetwork = \"compte\"\n"),
       "f.toml:21:11: error: 'network' in [[node.device]] cannot be 'compte'\n"
       "hint: did you mean 'compute'?"},
      {"a network of what is no NIC",
       two_gpus("[[node.device]]\nname = \"c\"\nkind = \"cpu\"\nnetwork = \"compute\"\n"),
       "f.toml:21:1: error: unknown key 'network' in [[node.device]]\n"
       "hint: one of: name, count, kind, vendor, generation"},
      {"an unknown reach of NICs",
       "name = \"x\"\n[node]\nuse = \"dgx-a100\"\ngpu_direct = \"on\"\n",
       "f.toml:4:14: error: 'gpu_direct' in [node] cannot be 'on'\n"
       "hint: one of: off, switch, socket, all"},
      {"a single device table", "name = \"x\"\n[node]\n[node.device]\nname = \"g\"\n",
       "f.toml:3:1: error: 'device' in [node] must be a list of tables, got a table\n"
       "hint: write each one as [[node.device]]"},
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
            "f.toml:12:8: error: 2147450880 links are too many for one server\n"
            "hint: at most 1000000; put switches between the devices");
}

TEST(SystemErrors, AnOverrideIsNamedInsteadOfALine) {
  EXPECT_EQ(refusal(two_gpus(), {{"node.link.0.lanes", "3"}}),
            "--set node.link.0.lanes: error: PCIe has no x3 link\n"
            "hint: 1, 2, 4, 8, 12, 16 or 32");
  EXPECT_EQ(refusal(two_gpus(), {{"node.link.7.lanes", "8"}}),
            "--set node.link.7.lanes: error: '7' is not the number of an entry\n"
            "hint: entries are counted from 0 to 0");
  EXPECT_EQ(refusal("name = \"x\"\n[node]\nuse = \"dgx-h100\"\n", {{"node.link.0.cnt", "9"}}),
            "--set node.link.0.cnt: error: unknown key 'cnt' in [[node.link]]\n"
            "hint: one of: pairs, from, to, link, class, count, rate, latency, efficiency");
}

}  // namespace
}  // namespace ringspan
