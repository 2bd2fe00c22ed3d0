#include "topologies/import/pci_address.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(PciAddress, IsReadAndWritten) {
  for (const char* text : {"0000:3b:00.0", "ffff:ff:1f.7", "000c:00:00.0"}) {
    const auto address = parse_pci_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(format_pci_address(*address), text);
  }
}

TEST(PciAddress, WiderDomainsNoneAndCapitalsAreTheSamePlace) {
  const auto address = parse_pci_address("0000:3b:00.0");
  EXPECT_EQ(parse_pci_address("00000000:3B:00.0"), address);
  EXPECT_EQ(parse_pci_address("3b:00.0"), address);
}

TEST(PciAddress, OrderIsThatOfDomainBusDeviceFunction) {
  EXPECT_LT(*parse_pci_address("0000:ff:1f.7"), *parse_pci_address("0001:00:00.0"));
  EXPECT_LT(*parse_pci_address("0000:0a:1f.7"), *parse_pci_address("0000:0b:00.0"));
  EXPECT_LT(*parse_pci_address("0000:0a:01.7"), *parse_pci_address("0000:0a:02.0"));
}

TEST(PciAddress, OtherTextIsNone) {
  for (const char* text :
       {"", ".", ":.", "3b", "3b:00", "0000:3b:00", "0000:3b:00.", "0000:3b:0g.0", "0000:3b:000.0",
        "000000000:3b:00.0", "0000:3b:00.0 ", "-1:3b:00.0", "0:0:3b:00.0", "fffffff:ffff:ff"}) {
    EXPECT_FALSE(parse_pci_address(text)) << text;
  }
}

}  // namespace
}  // namespace ringspan
