#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

namespace fs = std::filesystem;

// A folder of its own that goes when the test ends.
class UseChainFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / (std::string("ringspan_use_chain_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sub");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  System read(const std::string& name) {
    ConfigDocument document = ConfigDocument::parse_file(folder_ / name);
    return read_system(document, builtin_presets(), find_in_catalogue);
  }
  std::string refusal_of(const std::string& name) {
    try {
      read(name);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  fs::path folder_;
};

std::string use(const std::string& target, const std::string& more = {}) {
  return "name = \"x\"\n[node]\nuse = \"" + target + "\"\n" + more;
}

TEST_F(UseChainFiles, ANodeComesFromTheCatalogueOrFromAFileBesideThisOne) {
  write("base.toml", two_gpus());
  write("sub/a.toml", use("../base.toml"));
  write("b.toml", use("dgx-a100"));
  EXPECT_EQ(read("sub/a.toml").info.gpus, 2);
  EXPECT_EQ(read("sub/a.toml").topology().name(), "x");
  EXPECT_EQ(read("b.toml").info.gpus, 8);
}

TEST_F(UseChainFiles, TheOutermostFileDecidesPeerToPeerAndGpu) {
  write("base.toml", "sources = [\"a data sheet\"]\n" + two_gpus());
  write("a.toml", use("base.toml", "peer_to_peer = \"all\"\n"));
  write("b.toml", use("a.toml",
                      "[node.gpu]\nmodel = \"Y\"\ncompute_capability = 100\n"
                      "memory = \"10 GiB\"\nmemory_copy = \"1 TB/s\"\n"));
  const System system = read("b.toml");
  EXPECT_EQ(system.topology().peer_reach(), PeerReach::All);
  ASSERT_EQ(system.topology().gpu_models().size(), 1u);
  EXPECT_EQ(system.topology().gpu_models().front().name, "Y");
  EXPECT_THAT(system.info.sources, testing::ElementsAre("pair: a data sheet"));
}

TEST_F(UseChainFiles, OverridesReachTheFileThatHasTheWiring) {
  write("base.toml", two_gpus());
  write("a.toml", use("base.toml"));
  ConfigDocument document = ConfigDocument::parse_file(folder_ / "a.toml");
  const System system =
      read_system(document, builtin_presets(), find_in_catalogue,
                  {{"node.link.0.lanes", "4"}, {"node.peer_to_peer", "off"}, {"name", "renamed"}});
  EXPECT_EQ(system.topology().links().front().count, 4);
  EXPECT_EQ(system.topology().peer_reach(), PeerReach::Off);
  EXPECT_EQ(system.info.name, "renamed");
}

TEST_F(UseChainFiles, ACycleIsRefusedWithItsChain) {
  write("a.toml", use("b.toml"));
  write("b.toml", use("sub/../a.toml"));
  EXPECT_EQ(refusal_of("a.toml"), path("b.toml") +
                                      ":3:7: error: a cycle of `use`: " + path("a.toml") + " -> " +
                                      path("b.toml") + " -> " + path("sub/../a.toml") +
                                      "\nhint: let one of them have its own devices");
}

TEST_F(UseChainFiles, AFileThatUsesItselfIsACycle) {
  write("a.toml", use("./a.toml"));
  EXPECT_THAT(refusal_of("a.toml"), testing::HasSubstr("a.toml:3:7: error: a cycle of `use`: "));
}

TEST_F(UseChainFiles, AMissingFileIsNamedWhereItIsUsed) {
  write("a.toml", use("none.toml"));
  EXPECT_EQ(refusal_of("a.toml"), path("a.toml") + ":3:7: error: there is no file '" +
                                      path("none.toml") +
                                      "'\nhint: the path is relative to the file that says use");
}

TEST_F(UseChainFiles, UnknownKeysOfAUsedFileAreReportedThere) {
  write("base.toml", two_gpus("speed = 3\n"));
  write("a.toml", use("base.toml"));
  EXPECT_THAT(refusal_of("a.toml"),
              testing::StartsWith(path("base.toml") +
                                  ":18:1: error: unknown key 'speed' in [[node.link]]"));
}

TEST_F(UseChainFiles, AMistakeInAUsedFileIsReportedThere) {
  write("base.toml", two_gpus("lanes = 5\n"));
  write("a.toml", use("base.toml"));
  EXPECT_EQ(refusal_of("a.toml"), path("base.toml") +
                                      ":18:9: error: PCIe has no x5 link\n"
                                      "hint: 1, 2, 4, 8, 12, 16 or 32");
}

}  // namespace
}  // namespace ringspan
