#include "topologies/fabrics/cluster_dot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/clusters.h"
#include "tests/unit/report/leaf_pod_fabric.h"

namespace ringspan {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExportDot, OfAServerIsThatOfItsTopology) {
  const DomainKind server = testing::nvlink_server(2);
  EXPECT_EQ(export_dot(Cluster(server.topology), "server"), export_dot(server.topology));
}

TEST(ExportDot, DrawsOneServerAndTheTiersAboveIt) {
  const std::string text = export_dot(leaf_pod_cluster({}), "my \"cluster\"");
  EXPECT_THAT(text, HasSubstr("graph \"my \\\"cluster\\\"\" {\n"));
  EXPECT_THAT(text, HasSubstr("  subgraph cluster_k0server0 {\n"));
  EXPECT_THAT(text, HasSubstr("  f0 [label=\"servers 0 .. 7\", shape=box3d"));
  EXPECT_THAT(text, HasSubstr("  { rank=same; f2; }\n"));
  // nic0 is device 3: nvswitch, cpu and gpu0 come before it.
  EXPECT_THAT(text, HasSubstr("  k0n3 -- f0 [style=dashed, ltail=cluster_k0server0, "));
  EXPECT_THAT(text, HasSubstr("  f1 -- f2 [label=\"8 x test\"];\n}\n"));
}

TEST(ExportDot, IsAsLongForAThousandServersAsForEight) {
  LeafPodShape shape;
  const std::string small = export_dot(leaf_pod_cluster(shape), "cluster");
  shape.servers = 1000;
  EXPECT_EQ(export_dot(leaf_pod_cluster(shape), "cluster"), small);
}

TEST(ExportDot, DrawsOneTrayOfARack) {
  const std::string text = export_dot(rack_cluster({}), "racks");
  EXPECT_THAT(text,
              HasSubstr("label=\"a rack of 2 servers:\\none is drawn, with the NVSwitches\""));
  EXPECT_THAT(text, HasSubstr("subgraph cluster_k0server0 "));
  EXPECT_THAT(text, Not(HasSubstr("subgraph cluster_k0server1 ")));
}

}  // namespace
}  // namespace ringspan
