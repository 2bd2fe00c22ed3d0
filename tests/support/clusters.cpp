#include "tests/support/clusters.h"

#include <string>
#include <utility>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/base/input_error.h"
#include "sim/config/config_node.h"
#include "topologies/data/catalogue.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan::testing {

namespace {

constexpr Duration kCable = nanoseconds(600);

class OneWay final : public PathChoice {
 public:
  Spread spread() const override { return Spread::One; }
  std::uint32_t pick(std::uint32_t, const FlowKey&, std::uint32_t) const override { return 0; }
};

}  // namespace

std::unique_ptr<const PathChoice> only_way() { return std::make_unique<OneWay>(); }

namespace {

class Crossbar final : public Fabric {
 public:
  Crossbar(std::vector<FabricPort> ports, Bandwidth rate, bool joins_rails)
      : rate_(rate), joins_rails_(joins_rails) {
    ports_ = std::move(ports);
    routing_ = "static";
    choice_ = only_way();
  }

  std::string_view kind() const override { return "crossbar"; }
  std::uint32_t link_count() const override { return 2 * port_count(); }
  FabricLink link(std::uint32_t number) const override {
    const std::string port = "port" + std::to_string(number / 2);
    return {number % 2 == 0 ? port + " -> switch" : "switch -> " + port,
            "test",
            "port",
            rate_,
            1,
            kCable};
  }
  Bandwidth payload(std::uint32_t) const override { return rate_; }
  std::string_view preset(std::uint32_t) const override { return "test"; }
  void route(const FlowKey& flow, FabricRoute& out) const override {
    if (!joins_rails_ && ports_[flow.source].rail != ports_[flow.destination].rail) {
      throw InputError("the rails are not joined", "send on the rail of the receiver");
    }
    out.uses.assign({{2 * flow.source, 1, 0}, {2 * flow.destination + 1, 1, 1}});
    out.latency = 2 * kCable;
    out.switches = 1;
  }
  std::uint32_t attachment(std::uint32_t) const override { return 0; }
  std::uint32_t attachment_count() const override { return 1; }
  std::vector<FabricTier> tiers() const override {
    return {{"port", "server", "switch", 1, port_count(), rate_ * port_count(), 1}};
  }
  std::vector<FabricCut> cuts() const override { return {}; }
  Bandwidth bisection() const override { return rate_ * (port_count() / 2); }
  FabricDrawing drawing() const override { return {}; }

 private:
  std::uint32_t port_count() const { return static_cast<std::uint32_t>(ports_.size()); }
  Bandwidth rate_;
  bool joins_rails_;
};

Link plain_link(LinkClass link_class, double gbytes, Duration latency) {
  Link link;
  link.link_class = link_class;
  link.preset = "test";
  link.raw = link.nominal = bandwidth_from_gbytes_per_second(gbytes);
  link.latency = latency;
  return link;
}

}  // namespace

std::shared_ptr<const Fabric> crossbar_fabric(std::vector<FabricPort> ports, Bandwidth rate,
                                              bool joins_rails) {
  return std::make_shared<Crossbar>(std::move(ports), rate, joins_rails);
}

DomainKind nvlink_server(int gpus) {
  TopologyBuilder builder("server");
  const std::int32_t model = builder.add_gpu_model(
      {"H100", 90, Bytes{80'000'000'000}, bandwidth_from_gbytes_per_second(1000)});
  const NodeId nvswitch = builder.add_device({"nvswitch", DeviceKind::NvSwitch, 0, -1, "", true});
  const NodeId cpu = builder.add_device({"cpu", DeviceKind::Cpu, 0, -1, "intel", false});
  std::vector<NodeId> gpu_ids, nics;
  std::vector<std::int32_t> rails;
  for (int g = 0; g < gpus; ++g) {
    const std::string number = std::to_string(g);
    const NodeId gpu = builder.add_device({"gpu" + number, DeviceKind::Gpu, 0, model, "", false});
    const NodeId nic = builder.add_device({"nic" + number, DeviceKind::Nic, 0, -1, "", false});
    const NodeId psw =
        builder.add_device({"psw" + number, DeviceKind::PcieSwitch, 0, -1, "", false});
    builder.add_duplex(gpu, nvswitch, plain_link(LinkClass::NvLink, 450, nanoseconds(300)));
    for (const NodeId end : {gpu, nic, cpu}) {
      builder.add_duplex(end, psw, plain_link(LinkClass::Pcie, 55, nanoseconds(110)));
    }
    gpu_ids.push_back(gpu);
    nics.push_back(nic);
    rails.push_back(g);
  }
  return {std::move(builder).build(), gpu_ids, nics, rails, GpuDirectReach::Switch};
}

namespace {

std::vector<FabricPort> ports_of(int servers, int gpus) {
  std::vector<FabricPort> ports;
  for (int s = 0; s < servers; ++s) {
    for (int g = 0; g < gpus; ++g) ports.push_back({s, s, g});
  }
  return ports;
}

Cluster alike_servers(int servers, int gpus, std::shared_ptr<const Fabric> fabric) {
  std::vector<DomainKind> kinds;
  kinds.push_back(nvlink_server(gpus));
  return Cluster(std::move(kinds), std::vector<std::int32_t>(static_cast<std::size_t>(servers), 0),
                 std::move(fabric));
}

std::vector<FabricFault> read_faults(const ConfigNode& root) {
  std::vector<FabricFault> faults;
  for (const ConfigNode& table : root.children("fault")) {
    faults.push_back({table, table.text_or("switch", ""), table.text_or("from", ""),
                      table.text_or("to", ""), table.integer_or("cables", 0, 0, 1'000),
                      table.number_or("rate", 0, 0, 1)});
  }
  return faults;
}

}  // namespace

std::shared_ptr<const Fabric> fabric_of(int servers, int nics, const std::string& text) {
  const ConfigDocument links =
      ConfigDocument::parse_text(catalogue_links().front().text, "links.toml");
  const LinkPresets presets = LinkPresets::from_config(links.root());
  ConfigDocument document = ConfigDocument::parse_text("[fabric]\n" + text, "fabric.toml");
  const FabricInput input{document.root().child("fabric"),
                          presets,
                          ports_of(servers, nics),
                          read_faults(document.root()),
                          1,
                          std::vector<std::int32_t>(static_cast<std::size_t>(servers), 0)};
  const Registry<FabricFactory> fabrics = builtin_fabrics();
  std::shared_ptr<const Fabric> fabric = fabrics.at(input.config.text("kind")).factory(input);
  document.finish();
  return fabric;
}

Cluster servers_on_fabric(int servers, int gpus, const std::string& text) {
  return alike_servers(servers, gpus, fabric_of(servers, gpus, text));
}

Cluster servers_on_a_crossbar(int servers, int gpus, Bandwidth rate) {
  return alike_servers(servers, gpus, crossbar_fabric(ports_of(servers, gpus), rate));
}

}  // namespace ringspan::testing
