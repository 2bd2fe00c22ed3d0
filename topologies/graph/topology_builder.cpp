#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "topologies/graph/connectivity.h"
#include "topologies/graph/topology.h"

namespace ringspan {

namespace {

// All rules are checked before anything is thrown, so that one run names every problem.
class Rules {
 public:
  Rules(std::span<const Device> devices, std::span<const Link> links, bool several_servers)
      : devices_(devices), links_(links), several_servers_(several_servers) {}

  void check() {
    check_gpus();
    check_names();
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      // Both directions have the same properties: one report is enough.
      if (i < links_[i].reverse.value) check_link(links_[i]);
    }
    // A wrong link is a likelier cause of an island than a missing one: say that first.
    if (problems_.empty()) check_reachability();
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

 private:
  std::string label(NodeId id) const {
    const Device& device = devices_[id.index()];
    return several_servers_ && device.server != kNoServer
               ? fmt::format("{} of server {}", device.name, device.server)
               : device.name;
  }

  void add(std::string message, std::string hint) {
    problems_.push_back({{}, std::move(message), std::move(hint)});
  }

  void check_gpus() {
    const bool any = std::any_of(devices_.begin(), devices_.end(), [](const Device& device) {
      return device.kind == DeviceKind::Gpu;
    });
    if (!any) add("the system has no GPU", "add at least one device of kind \"gpu\"");
  }

  void check_names() {
    std::map<std::pair<std::int32_t, std::string_view>, int> uses;
    for (const Device& device : devices_) {
      if (++uses[{device.server, device.name}] != 2) continue;
      add(fmt::format("two devices of server {} are named '{}'", device.server, device.name),
          "give every device of a server a name of its own");
    }
  }

  void check_link(const Link& link) {
    const auto fail = [&](std::string_view what, std::string hint) {
      add(fmt::format("link {} - {}: {}", label(link.from), label(link.to), what), std::move(hint));
    };
    if (link.from == link.to) fail("joins a device to itself", "a link needs two devices");
    if (link.count < 1) {
      fail(fmt::format("a count of {} links or lanes", link.count), "the least is 1");
    }
    if (link.raw.bits_per_second <= 0 || link.nominal.bits_per_second <= 0) {
      fail("its rate is not positive", "write a rate above zero, such as \"25 GB/s\"");
    } else if (!(link.efficiency > 0.0 && link.efficiency <= 1.0)) {
      fail(fmt::format("its efficiency {} is outside (0, 1]", link.efficiency),
           "efficiency is payload rate / nominal rate, such as 0.9");
    } else if (link.payload().bits_per_second <= 0) {
      fail("its payload rate rounds to zero", "the least rate is 1 bit/s");
    }
    if (link.latency < Duration::zero()) {
      fail("its latency is negative", "write \"0 ns\" or more");
    }
  }

  // One problem per server is enough: the first GPU against the first one it does not reach.
  void check_reachability() {
    const std::vector<std::int32_t> component = connected_components(devices_.size(), links_);
    std::map<std::int32_t, NodeId> first_gpu;
    std::vector<std::int32_t> reported;
    for (std::uint32_t i = 0; i < devices_.size(); ++i) {
      if (devices_[i].kind != DeviceKind::Gpu) continue;
      const std::int32_t server = devices_[i].server;
      const NodeId first = first_gpu.emplace(server, NodeId{i}).first->second;
      if (component[i] == component[first.index()]) continue;
      if (std::find(reported.begin(), reported.end(), server) != reported.end()) continue;
      reported.push_back(server);
      add(fmt::format("{} cannot reach {}: no chain of links joins them", label(first),
                      label(NodeId{i})),
          "link the two GPUs, or both to one NVSwitch, PCIe switch or CPU");
    }
  }

  std::span<const Device> devices_;
  std::span<const Link> links_;
  bool several_servers_;
  std::vector<InputProblem> problems_;
};

}  // namespace

TopologyBuilder::TopologyBuilder(std::string name) { topology_.name_ = std::move(name); }

void TopologyBuilder::set_peer_reach(PeerReach reach) { topology_.peer_reach_ = reach; }

std::int32_t TopologyBuilder::add_gpu_model(GpuModel model) {
  std::vector<GpuModel>& models = topology_.gpu_models_;
  const auto found = std::find(models.begin(), models.end(), model);
  if (found != models.end()) return static_cast<std::int32_t>(found - models.begin());
  models.push_back(std::move(model));
  return static_cast<std::int32_t>(models.size() - 1);
}

NodeId TopologyBuilder::add_device(Device device) {
  const bool is_gpu = device.kind == DeviceKind::Gpu;
  RINGSPAN_CHECK(!is_gpu || (device.model >= 0 &&
                             static_cast<std::size_t>(device.model) < topology_.gpu_models_.size()),
                 "a GPU names a model that add_gpu_model() returned");
  RINGSPAN_CHECK(device.server >= kNoServer, "servers are numbered from 0");
  RINGSPAN_CHECK(device.server >= 0 || device.kind == DeviceKind::NvSwitch,
                 "only NVSwitches sit outside of servers");
  topology_.devices_.push_back(std::move(device));
  return NodeId{static_cast<std::uint32_t>(topology_.devices_.size() - 1)};
}

LinkId TopologyBuilder::add_duplex(NodeId a, NodeId b, Link properties) {
  const std::size_t devices = topology_.devices_.size();
  RINGSPAN_CHECK(a.index() < devices && b.index() < devices, "a link joins devices added before");
  const LinkId forward{static_cast<std::uint32_t>(topology_.links_.size())};
  const LinkId backward{forward.value + 1};
  properties.from = a;
  properties.to = b;
  properties.reverse = backward;
  topology_.links_.push_back(properties);
  std::swap(properties.from, properties.to);
  properties.reverse = forward;
  topology_.links_.push_back(std::move(properties));
  return forward;
}

namespace {

bool all_switches_multicast(std::span<const Device> devices) {
  bool any = false;
  for (const Device& device : devices) {
    if (device.kind != DeviceKind::NvSwitch) continue;
    if (!device.multicast) return false;
    any = true;
  }
  return any;
}

}  // namespace

Topology TopologyBuilder::build() && {
  Topology& topology = topology_;
  topology.server_count_ = 1;
  for (const Device& device : topology.devices_) {
    topology.server_count_ = std::max(topology.server_count_, device.server + 1);
  }
  Rules(topology.devices_, topology.links_, topology.server_count_ > 1).check();
  topology.has_multicast_ = all_switches_multicast(topology.devices_);

  for (std::uint32_t i = 0; i < topology.devices_.size(); ++i) {
    if (topology.devices_[i].kind == DeviceKind::Gpu) topology.gpus_.push_back(NodeId{i});
  }
  std::stable_sort(topology.gpus_.begin(), topology.gpus_.end(), [&](NodeId a, NodeId b) {
    return topology.device(a).server < topology.device(b).server;
  });

  topology.out_begin_.assign(topology.devices_.size() + 1, 0);
  for (const Link& link : topology.links_) ++topology.out_begin_[link.from.index() + 1];
  for (std::size_t i = 1; i < topology.out_begin_.size(); ++i) {
    topology.out_begin_[i] += topology.out_begin_[i - 1];
  }
  std::vector<std::uint32_t> next = topology.out_begin_;
  topology.out_links_.resize(topology.links_.size());
  for (std::uint32_t i = 0; i < topology.links_.size(); ++i) {
    topology.out_links_[next[topology.links_[i].from.index()]++] = LinkId{i};
  }
  return std::move(topology_);
}

}  // namespace ringspan
