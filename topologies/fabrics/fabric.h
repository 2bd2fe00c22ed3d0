#pragma once

// The network between domains: from the ports of NICs through leaves, spines and cores, or around a
// torus. Code flow:
//   builtin_fabrics().at(kind).factory(input)   reads [fabric] and makes one (one file pair a kind)
//   route(from, to, flow)                       links and parts of a flow, by formula
//   link(number), tiers(), drawing()            what they are, for reports
//
// A fabric's links are numbered 0..link_count()-1, one direction each, and known by formula:
// nothing is stored per pair of ports. Where ways are told apart (routing `ecmp`, `static`) a link
// is a cable. Where flows are spread over all ways, alike ways are one link, a *pool*, with the
// capacity of all of them: exact by symmetry, and it keeps paths short. Dead cables are not in a
// pool.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "topologies/routing/path_choice.h"

namespace ringspan {

// A NIC, as the fabric sees it. A NIC with several cables (two planes) is one port.
struct FabricPort {
  std::int32_t domain = 0;  // whose NIC it is
  std::int32_t server = 0;  // of the whole cluster, from 0
  std::int32_t rail = 0;    // which of its server's NICs, from 0
};

// A part of a flow on a link: 1 when all of its bytes cross it. Links of one stage are crossed side
// by side, stages one after the other.
struct FabricUse {
  std::uint32_t link = 0;
  float share = 1;
  std::uint32_t stage = 0;
};

struct FabricRoute {
  std::vector<FabricUse> uses;  // in order from port to port; the ports' own cables are among them
  Duration latency{};           // NIC to NIC over the longest way used, both adapters included
  std::int32_t switches = 0;    // crossed on that way
};

struct FabricLink {
  std::string name;    // "leaf3 -> spine1, cable 0" or "leaf3 -> its spines (32 x ib-ndr)"
  std::string preset;  // "ib-ndr"
  std::string tier;   // one of tiers(): "port", "leaf-spine", "spine-core", "global", "dimension 1"
  Bandwidth nominal;  // this direction, all cables together
  double efficiency = 1;  // payload / nominal
  Duration latency{};
  Bandwidth payload() const { return scaled(nominal, efficiency); }
};

// A layer of cables, for `show` and for lower bounds.
struct FabricTier {
  std::string name;             // "port", "leaf-spine", ...
  std::string below, above;     // "leaf", "spine": what it joins
  std::int64_t switches = 0;    // on the upper side
  std::int64_t cables = 0;      // alive, both directions counted as one
  Bandwidth up;                 // nominal, all cables together, one direction
  double oversubscription = 1;  // what comes from below over what goes up: 4 for 4:1; 0.5 if under
};

// A set of ports that is cut off from the rest by the links into and out of it: for lower bounds.
struct FabricCut {
  std::string label;                 // "leaf3", "pod 1"
  std::vector<std::uint32_t> ports;  // the inside
  Bandwidth out, in;                 // nominal
};

// Groups of attachments, each inside one of the next level: leaves in pods, switches in groups.
struct FabricLevel {
  std::string name;                  // "pod"
  std::vector<std::uint32_t> group;  // by attachment
};

// Attachments that routes treat alike, for sums over very many pairs: leaves of one pod whose
// cables are as healthy. With a' of the class of a, b' of that of b, a and b different, a' and b'
// too: an even_route() from a port of a' to one of b' (or a route() that is spread) is the one from
// a to b, but for the ports' own cables and those next to the attachments. The links of stage 1
// have their numbers from first_up[a'] on instead of first_up[a], those of the last stage but one
// from first_down[b'] on.
struct AttachmentClasses {
  std::vector<std::uint32_t> of;  // by attachment: its class, counted from 0
  std::uint32_t count = 0;
  std::vector<std::uint32_t> first_up, first_down;  // by attachment: numbers of links
};

// For drawings that stay readable: alike devices are one node ("leaf 0 .. 255").
struct FabricDrawing {
  struct Node {
    std::string label;
    int level = 0;  // 0: the servers; upwards
  };
  struct Edge {
    std::size_t from = 0, to = 0;  // nodes
    std::string label;             // "8192 x ib-ndr, 409.6 TB/s each way"
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

class Fabric {
 public:
  virtual ~Fabric() = default;

  virtual std::string_view kind() const = 0;  // "leaf-spine"
  std::string_view routing() const { return routing_; }
  const PathChoice& choice() const { return *choice_; }
  std::span<const FabricPort> ports() const { return ports_; }
  // The switches reduce (SHARP): CollNet algorithms may be used.
  bool reduces_in_network() const { return reduces_in_network_; }
  // What was derived from what was written, in words, for `show`: "spines = 16: 32 uplinks over 2
  // ...".
  std::span<const std::string> notes() const { return notes_; }

  virtual std::uint32_t link_count() const = 0;
  virtual FabricLink link(std::uint32_t number) const = 0;
  // As link(number).payload(), without making the text.
  virtual Bandwidth payload(std::uint32_t number) const = 0;
  virtual std::string_view preset(std::uint32_t number) const = 0;

  // Replaces `out` (its memory is reused). flow.source and flow.destination are the ports, two
  // different ones. Throws InputError with the reason where nothing joins them (a rail-only fabric,
  // dead links).
  virtual void route(const FlowKey& flow, FabricRoute& out) const = 0;
  // The same as if every fork were taken in equal parts, whatever the routing: for so many flows
  // that their hashes even out. The default is route().
  virtual void even_route(const FlowKey& flow, FabricRoute& out) const { route(flow, out); }
  // even_route() without what lies between the two ports' own cables: its first stage and its last
  // one. For callers that ask for very many ports. The default cuts even_route() short.
  virtual void even_ends(const FlowKey& flow, FabricRoute& out) const;
  // Reduction and multicast in the switches (SHARP): each of `ports` sends its bytes up once and
  // receives the result once. The default throws InputError: this kind cannot.
  virtual void reduction(std::span<const std::uint32_t> ports, FabricRoute& out) const;
  // False: route() would throw. The default tries.
  virtual bool joins(std::uint32_t from, std::uint32_t to) const;

  // How many links between switches a route() uses at most. The default: all there are.
  virtual std::int64_t most_trunks() const {
    return std::int64_t{link_count()} - 2 * static_cast<std::int64_t>(ports_.size());
  }

  // Ports with the same number hang on the same switch, or pair of switches, and are alike to the
  // fabric but for their own cables.
  virtual std::uint32_t attachment(std::uint32_t port) const = 0;
  virtual std::uint32_t attachment_count() const = 0;
  // "leaf3". The default: the first tier's upper side and the number.
  virtual std::string attachment_name(std::uint32_t number) const;
  // The default: each is a class of its own.
  virtual AttachmentClasses attachment_classes() const;
  // What lies between a single attachment and the whole fabric, from small to large, for counting
  // pairs of ports that are alike: pods. The default: nothing does.
  virtual std::vector<FabricLevel> levels() const { return {}; }

  // From the ports upwards.
  virtual std::vector<FabricTier> tiers() const = 0;
  // A family of cuts that are worth trying: every leaf, every pod, halves. At most a few per
  // switch.
  virtual std::vector<FabricCut> cuts() const = 0;
  // What crosses the middle, one direction, nominal.
  virtual Bandwidth bisection() const = 0;
  virtual FabricDrawing drawing() const = 0;

 protected:
  // Filled by the kind's reader.
  std::vector<FabricPort> ports_;
  std::string routing_;
  std::unique_ptr<const PathChoice> choice_;
  std::vector<std::string> notes_;
  bool reduces_in_network_ = false;
};

}  // namespace ringspan
