#pragma once

// A domain while it is put together: devices and cables as files describe them, then faults, then a
// DomainKind. Code flow:
//   read_server()       a server: one draft whose devices are all of server 0
//   nvlink_domain.h     trays and NVSwitches become one draft
//   faults.h            strikes devices and cables out, or makes them slower
//   build_domain()      what is left

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topologies/fabrics/cluster.h"
#include "topologies/graph/topology.h"

namespace ringspan {

// Both directions of a cable, or of a bundle of alike ones.
struct Cable {
  NodeId a, b;
  std::uint32_t link = 0;  // index into DomainDraft::links
  bool dead = false;
};

struct DomainDraft {
  std::vector<GpuModel> gpu_models;
  std::vector<Device> devices;        // by NodeId
  std::vector<std::string> networks;  // by NodeId: which network a NIC is on; else empty
  std::vector<bool> dead;             // by NodeId
  std::vector<Link> links;            // what cables are, without their ends
  std::vector<Cable> cables;
  PeerReach peer_reach = PeerReach::Switch;
  GpuDirectReach gpu_direct = GpuDirectReach::Switch;
  SourcePosition where;  // the table that has the devices, for messages

  // The index of an equal model if there is one.
  std::int32_t add_gpu_model(const GpuModel& model);
  NodeId add_device(Device device, std::string network = {});
};

// Alive GPUs.
int gpu_count(const DomainDraft& draft);

// The NICs of `network` that are alive become the domain's; their rails count the dead ones too.
// Throws InputError without position when what is left breaks a rule of the graph.
DomainKind build_domain(const DomainDraft& draft, const std::string& name,
                        const std::string& network);

// The alive NICs of a network, server by server, as build_domain() orders them.
struct NicList {
  std::vector<NodeId> nics;         // in the draft
  std::vector<std::int32_t> rails;  // which of its server's NICs on that network, dead ones counted
};
NicList nics_on(const DomainDraft& draft, const std::string& network);

}  // namespace ringspan
