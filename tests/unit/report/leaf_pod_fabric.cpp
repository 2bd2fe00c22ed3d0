#include "tests/unit/report/leaf_pod_fabric.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/clusters.h"

namespace ringspan {

namespace {

constexpr Duration kCable = nanoseconds(300);

class LeafPod final : public Fabric {
 public:
  LeafPod(const LeafPodShape& shape, std::int32_t servers_per_domain) : shape_(shape) {
    for (std::int32_t s = 0; s < shape.servers; ++s) {
      for (std::int32_t r = 0; r < shape.rails; ++r) {
        ports_.push_back({s / servers_per_domain, s, r});
      }
    }
    routing_ = "static";
    choice_ = testing::only_way();
    notes_ = {"pods = 2: derived for the test"};
  }

  std::string_view kind() const override { return "leaf-pod"; }
  std::uint32_t link_count() const override { return 2 * (port_count() + attachment_count()); }
  FabricLink link(std::uint32_t number) const override {
    const bool port = number < 2 * port_count();
    return {fmt::format("link{}", number), "test", port ? "port" : "leaf-spine",
            port ? rate() : leaf_up(),     1,      kCable};
  }
  Bandwidth payload(std::uint32_t number) const override { return link(number).nominal; }
  std::string_view preset(std::uint32_t) const override { return "test"; }
  void route(const FlowKey& flow, FabricRoute& out) const override {
    const std::uint32_t from = attachment(flow.source), to = attachment(flow.destination);
    const std::uint32_t pools = 2 * port_count();
    out.uses = {{2 * flow.source, 1, 0}};
    if (from != to)
      out.uses.insert(out.uses.end(), {{pools + 2 * from, 1, 1}, {pools + 2 * to + 1, 1, 2}});
    out.uses.push_back({2 * flow.destination + 1, 1, 3});
    out.switches = from == to ? 1 : pod(from) == pod(to) ? 3 : 5;
    out.latency = kCable * (out.switches + 1);
  }
  std::uint32_t attachment(std::uint32_t port) const override {
    const FabricPort& at = ports()[port];
    const std::int32_t group = at.server / shape_.servers_per_leaf;
    return static_cast<std::uint32_t>(shape_.leaf_per_rail ? group * shape_.rails + at.rail
                                                           : group);
  }
  std::uint32_t attachment_count() const override { return attachment(port_count() - 1) + 1; }
  std::vector<FabricLevel> levels() const override {
    FabricLevel pods{"pod", {}};
    for (std::uint32_t leaf = 0; leaf < attachment_count(); ++leaf) pods.group.push_back(pod(leaf));
    return {pods};
  }
  std::vector<FabricTier> tiers() const override {
    const Bandwidth up = scaled(rate() * port_count(), shape_.up_share);
    return {{"port", "server", "leaf", attachment_count(), port_count(), rate() * port_count(), 1},
            {"leaf-spine", "leaf", "spine", 4, port_count() / 2, up, 1 / shape_.up_share}};
  }
  std::vector<FabricCut> cuts() const override { return {}; }
  Bandwidth bisection() const override {
    return scaled(rate() * port_count(), shape_.up_share / 2);
  }
  FabricDrawing drawing() const override {
    return {{{"servers 0 .. 7", 0}, {"leaves", 1}, {"spines \"all\"", 2}},
            {{0, 1, "16 x test"}, {1, 2, "8 x test"}}};
  }

 private:
  std::uint32_t port_count() const { return static_cast<std::uint32_t>(ports().size()); }
  static Bandwidth rate() { return bandwidth_from_gbytes_per_second(50); }
  Bandwidth leaf_up() const {
    const double ports_per_leaf = static_cast<double>(port_count()) / attachment_count();
    return scaled(rate(), ports_per_leaf * shape_.up_share);
  }
  std::uint32_t pod(std::uint32_t leaf) const {
    const std::int32_t rails = shape_.leaf_per_rail ? shape_.rails : 1;
    return leaf / static_cast<std::uint32_t>(rails * shape_.leaf_groups_per_pod);
  }

  LeafPodShape shape_;
};

Cluster cluster_of(DomainKind kind, const LeafPodShape& shape) {
  const std::int32_t servers = kind.servers();
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(kind));
  return Cluster(std::move(kinds),
                 std::vector<std::int32_t>(static_cast<std::size_t>(shape.servers / servers), 0),
                 std::make_shared<LeafPod>(shape, servers));
}

Link plain_link(LinkClass link_class, double gbytes, Duration latency) {
  Link link;
  link.link_class = link_class;
  link.preset = "test";
  link.raw = link.nominal = bandwidth_from_gbytes_per_second(gbytes);
  link.latency = latency;
  return link;
}

DomainKind rack_of_two_trays() {
  TopologyBuilder builder("rack");
  const std::int32_t model = builder.add_gpu_model(
      {"GB200", 100, Bytes{80'000'000'000}, bandwidth_from_gbytes_per_second(1000)});
  const NodeId nvswitch =
      builder.add_device({"nvswitch", DeviceKind::NvSwitch, kNoServer, -1, "", true});
  std::vector<NodeId> gpus, nics;
  std::vector<std::int32_t> rails;
  for (std::int32_t tray = 0; tray < 2; ++tray) {
    const NodeId cpu = builder.add_device({"cpu", DeviceKind::Cpu, tray, -1, "arm", false});
    for (std::int32_t i = 0; i < 2; ++i) {
      gpus.push_back(
          builder.add_device({fmt::format("gpu{}", i), DeviceKind::Gpu, tray, model, "", false}));
      nics.push_back(
          builder.add_device({fmt::format("nic{}", i), DeviceKind::Nic, tray, -1, "", false}));
      rails.push_back(i);
      builder.add_duplex(gpus.back(), nvswitch,
                         plain_link(LinkClass::NvLink, 450, nanoseconds(300)));
      const NodeId psw = builder.add_device(
          {fmt::format("psw{}", i), DeviceKind::PcieSwitch, tray, -1, "", false});
      for (const NodeId end : {gpus.back(), nics.back(), cpu}) {
        builder.add_duplex(end, psw, plain_link(LinkClass::Pcie, 55, nanoseconds(110)));
      }
    }
  }
  return {std::move(builder).build(), gpus, nics, rails, GpuDirectReach::Switch};
}

}  // namespace

Cluster leaf_pod_cluster(const LeafPodShape& shape) {
  return cluster_of(testing::nvlink_server(shape.rails), shape);
}

Cluster rack_cluster(const LeafPodShape& shape) { return cluster_of(rack_of_two_trays(), shape); }

}  // namespace ringspan
