// A GPU without a way to other servers: the message names the server, the reason and its place.

#include <string>

#include <gtest/gtest.h>

#include "models/nccl/transport.h"
#include "sim/base/input_error.h"
#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

// `more` follows 26 lines of servers, 2 GPUs and 2 NICs under one switch each.
std::string transport_refusal(const std::string& more, const SystemOverrides& overrides = {}) {
  const System system = read_text(two_gpu_servers(more), overrides, {4, {}});
  try {
    const Transport transport(system.cluster);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

const std::string kTwoLeaves =
    "[fabric]\nkind = \"leaf-spine\"\nlink = \"ib-ndr\"\nservers_per_leaf = 2\nspines = 2\n";

TEST(TransportRefusals, ADeadLeafIsNamedWithItsFault) {
  EXPECT_EQ(transport_refusal(kTwoLeaves + "[[fault]]\nswitch = \"leaf0\"\n"),
            "f.toml:32:1: error: server0.gpu0 has no NIC that joins it to other servers: leaf0 is "
            "dead\nhint: take the [[fault]] out, or leave those servers out");
}

// Two switches, and nothing between them; the table of the network is the place.
TEST(TransportRefusals, PartsThatNoCableJoinsAreNamed) {
  EXPECT_EQ(transport_refusal("[fabric]\nkind = \"custom\"\ndefault_link = \"ib-ndr\"\n"
                              "[[fabric.switch]]\nname = \"left\"\n"
                              "[[fabric.switch]]\nname = \"right\"\n"
                              "[[fabric.link]]\nfrom = \"server0.nic*\"\nto = \"left\"\n"
                              "[[fabric.link]]\nfrom = \"server[1-3].nic*\"\nto = \"right\"\n"),
            "f.toml:27:1: error: server0.gpu0 has no NIC that joins it to other servers: no cables "
            "lead from left to right\nhint: add cables between the two parts");
}

// gpu1 keeps its NVLink and loses its way to the host.
TEST(TransportRefusals, AGpuWithoutItsHostIsNamedWithTheFault) {
  EXPECT_EQ(
      transport_refusal(kTwoLeaves + "[[fault]]\nfrom = \"server2.gpu1\"\nto = \"server2.psw\"\n"),
      "f.toml:32:1: error: server2: no chain of links joins gpu1 and nic0\n"
      "hint: link the NIC to the GPU's PCIe switch or CPU");
}

// Without a fault the place is the table of the server.
TEST(TransportRefusals, AGpuThatTheFileLinksToNoHostIsNamedWithTheServer) {
  EXPECT_EQ(transport_refusal(kTwoLeaves, {{"node.link.0.to", "[\"gpu0\", \"nic*\"]"}}),
            "f.toml:2:1: error: server0: no chain of links joins gpu1 and nic0\n"
            "hint: link the NIC to the GPU's PCIe switch or CPU");
}

}  // namespace
}  // namespace ringspan
