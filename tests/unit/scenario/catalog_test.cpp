#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"

namespace ringspan {
namespace {

using testing::HasSubstr;

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Catalog, EverySystemLoadsUnderItsOwnName) {
  const Catalog catalog = builtin_catalog();
  ASSERT_FALSE(catalog.system_names.empty());
  for (const std::string& name : catalog.system_names) {
    const System system = load_system(catalog, name);
    EXPECT_EQ(system.info.name, name);
    // info.gpus is of one server; the first domain of a rack has several.
    EXPECT_EQ(system.info.gpus * system.topology().server_count(),
              static_cast<int>(system.topology().gpus().size()));
  }
}

TEST(Catalog, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_EQ(refusal([] { load_system(builtin_catalog(), "dgx-h10"); }),
            "error: unknown system 'dgx-h10'\n"
            "hint: did you mean 'dgx-h100'? 'ringspan list systems' shows the catalogue; a file "
            "needs a '/' in its path, or the ending .toml");
}

TEST(Catalog, AFileOnDiskIsReadAndCanUseACatalogueEntry) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "ringspan_catalog_test.toml";
  std::ofstream(path) << "name = \"mine\"\ndescription = \"as a DGX H100\"\n"
                         "[node]\nuse = \"dgx-h100\"\n";
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, path.string());
  EXPECT_EQ(system.info.name, "mine");
  EXPECT_EQ(system.topology().gpus().size(), 8U);
  EXPECT_THAT(system_file_text(catalog, path.string()), HasSubstr("use = \"dgx-h100\""));
  std::filesystem::remove(path);
}

TEST(Catalog, TheTextOfAnEntryIsTheEntry) {
  const Catalog catalog = builtin_catalog();
  EXPECT_THAT(system_file_text(catalog, "dgx-h100"), HasSubstr("name = \"dgx-h100\""));
}

TEST(Catalog, ProfilesAreFoundByNameAndRefusedWithTheNames) {
  const Catalog catalog = builtin_catalog();
  EXPECT_EQ(load_profile(catalog, "nccl-hopper").name, "nccl-hopper");
  EXPECT_EQ(refusal([&] { load_profile(catalog, "nccl-hoper"); }),
            "error: unknown profile 'nccl-hoper'\n"
            "hint: did you mean 'nccl-hopper'? (a file needs a '/' in its path, or the ending "
            ".toml)");
}

}  // namespace
}  // namespace ringspan
