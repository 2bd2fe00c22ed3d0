// Numbering of domains, servers, GPUs and ports.

#include "topologies/fabrics/cluster.h"

#include <gtest/gtest.h>

#include "tests/support/clusters.h"
#include "tests/support/plain_fabrics.h"

namespace ringspan {
namespace {

TEST(Cluster, NumbersGpusAndPortsDomainByDomain) {
  const Cluster cluster = testing::servers_on_a_crossbar(3, 4);
  EXPECT_EQ(cluster.domain_count(), 3);
  EXPECT_EQ(cluster.server_count(), 3);
  EXPECT_EQ(cluster.gpu_count(), 12);
  EXPECT_EQ(cluster.place(0), (GpuPlace{0, 0}));
  EXPECT_EQ(cluster.place(7), (GpuPlace{1, 3}));
  EXPECT_EQ(cluster.place(8), (GpuPlace{2, 0}));
  EXPECT_EQ(cluster.port(2, 1), 9u);
  EXPECT_EQ(cluster.server_of({1, 3}), 1);
  EXPECT_EQ(cluster.device_name(1, cluster.domain(1).gpus[3]), "server1.gpu3");
}

TEST(Cluster, OneServerHasPlainNamesAndNoFabric) {
  const Cluster cluster(testing::gpus_on_one_switch(8));
  EXPECT_EQ(cluster.fabric(), nullptr);
  EXPECT_EQ(cluster.gpu_count(), 8);
  EXPECT_EQ(cluster.device_name(0, cluster.domain(0).gpus[3]), "gpu3");
}

}  // namespace
}  // namespace ringspan
