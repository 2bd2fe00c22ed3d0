#include "topologies/builders/name_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

using testing::ElementsAre;

DeviceNames names_of(const std::vector<std::string>& list) {
  DeviceNames names;
  for (std::uint32_t i = 0; i < list.size(); ++i) names.add(list[i], NodeId{i});
  return names;
}

std::vector<std::string> expanded(const DeviceNames& names, std::string_view pattern) {
  std::vector<std::string> found;
  for (NodeId id : names.expand(pattern)) found.push_back(names.name(id));
  return found;
}

std::string refusal_of(const DeviceNames& names, std::string_view pattern) {
  try {
    names.expand(pattern);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(NamePattern, NamesOneDeviceARangeOrEveryNumber) {
  const DeviceNames names = names_of({"gpu0", "gpu1", "gpu2", "gpu3", "cpu"});
  EXPECT_THAT(expanded(names, "cpu"), ElementsAre("cpu"));
  EXPECT_THAT(expanded(names, "gpu[1-2]"), ElementsAre("gpu1", "gpu2"));
  EXPECT_THAT(expanded(names, "gpu[3,0-1]"), ElementsAre("gpu3", "gpu0", "gpu1"));
  EXPECT_THAT(expanded(names, "gpu*"), ElementsAre("gpu0", "gpu1", "gpu2", "gpu3"));
}

TEST(NamePattern, AStarStandsForANumberOnlyAndKeepsTheOrderOfTheFile) {
  std::vector<std::string> list = {"nicswitch", "nic", "nic10"};
  for (int i = 0; i < 3; ++i) list.push_back("nic" + std::to_string(i));
  EXPECT_THAT(expanded(names_of(list), "nic*"), ElementsAre("nic10", "nic0", "nic1", "nic2"));
}

TEST(NamePattern, RefusesWhatIsNoPattern) {
  const DeviceNames names = names_of({"gpu0", "gpu1"});
  for (const char* pattern : {"", "*", "gpu[", "gpu[]", "gpu[1-0]", "gpu[0-]", "gpu[-1]", "gpu[0,]",
                              "gpu[x]", "gpu[0-1]x", "gpu**", "[0-1]", "gpu 0", "gpu[+1]",
                              "gpu[0-99999999999999999999]", "gpu[0-65536]"}) {
    EXPECT_THAT(refusal_of(names, pattern),
                testing::StartsWith("error: '" + std::string(pattern) +
                                    "' is not a device name or pattern\nhint: a name (\"gpu0\")"))
        << pattern;
  }
}

TEST(NamePattern, AnUnknownDeviceIsAnsweredWithTheNearest) {
  const DeviceNames names = names_of({"gpu0", "gpu1", "nvswitch0"});
  EXPECT_EQ(refusal_of(names, "nvswich0"),
            "error: there is no device 'nvswich0'\nhint: did you mean 'nvswitch0'?");
  EXPECT_THAT(refusal_of(names, "gpu[0-2]"),
              testing::StartsWith("error: there is no device 'gpu2'\n"));
  EXPECT_THAT(refusal_of(names, "leaf*"),
              testing::StartsWith("error: no device is called 'leaf' and a number\n"));
}

TEST(NamePattern, ANameIsTakenOnce) {
  DeviceNames names = names_of({"gpu0"});
  EXPECT_THROW(names.add("gpu0", NodeId{1}), InputError);
}

}  // namespace
}  // namespace ringspan
