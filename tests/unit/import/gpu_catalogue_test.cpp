#include "topologies/import/gpu_catalogue.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/base/input_error.h"
#include "sim/config/config_node.h"
#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

TEST(GpuCatalogue, KnowsGpusByNameDeviceAndCapability) {
  const GpuCatalogue gpus = builtin_gpu_catalogue();
  EXPECT_EQ(gpus.at("H100 SXM").compute_capability, 90);
  ASSERT_NE(gpus.find_device(0x2330), nullptr);
  EXPECT_EQ(gpus.find_device(0x2330)->name, "H100 SXM");
  EXPECT_EQ(gpus.find_device(0x0001), nullptr);
  EXPECT_EQ(gpus.of_capability(80).name, "A100 SXM 80 GB");
  EXPECT_EQ(gpus.of_capability(87).compute_capability, 86);
  EXPECT_EQ(gpus.of_capability(20).compute_capability, 60);
  EXPECT_EQ(gpus.nvlink_of_capability(89), "nvlink-ga102");
  EXPECT_EQ(gpus.nvlink_of_capability(20), "nvlink1");
}

TEST(GpuCatalogue, AnUnknownNameIsAnsweredWithTheNearest) {
  try {
    builtin_gpu_catalogue().at("H100 SMX");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "error: unknown GPU 'H100 SMX'\nhint: did you mean 'H100 SXM'?");
  }
}

// One machine, described by hand or imported, is one machine.
TEST(GpuCatalogue, AgreesWithTheSystemsOfTheCatalogue) {
  const GpuCatalogue gpus = builtin_gpu_catalogue();
  for (const char* name : {"dgx1-v100",       "dgx2",
                           "dgx-a100",        "aws-p4d",
                           "a100-4x-nv4",     "dgx-h100",
                           "dgx-h200",        "h800-8x",
                           "h20-8x",          "dgx-b200",
                           "dgx-b300",        "gb200-nvl72",
                           "gb300-nvl72",     "gh200-slingshot",
                           "l40s-pcie-8x",    "l4-2x",
                           "rtx-4090-8x-p2p", "rtx-5090-8x-p2p",
                           "rtx-pro-6000-8x", "rtx-6000d-8x",
                           "v100-pcie-4x",    "rtx-2080ti-2x",
                           "h100-pcie-nvl-2x"}) {
    const System system = read_catalogue(name);
    const GpuModel& model = system.topology().gpu_models().front();
    const GpuEntry& entry = gpus.at(model.name);
    EXPECT_EQ(entry.compute_capability, model.compute_capability) << name;
    EXPECT_EQ(parse_size(entry.memory).size, model.memory) << name;
    EXPECT_EQ(parse_bandwidth(entry.memory_copy).per_direction, model.memory_copy) << name;
  }
}

TEST(GpuCatalogue, ItsNvlinksArePresets) {
  const GpuCatalogue gpus = builtin_gpu_catalogue();
  const LinkPresets presets = builtin_presets();
  std::set<std::string> names;
  for (const std::string& name : gpus.names()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    const std::string& nvlink = gpus.at(name).nvlink;
    EXPECT_TRUE(nvlink.empty() || presets.find(nvlink) != nullptr) << name;
  }
}

}  // namespace
}  // namespace ringspan
