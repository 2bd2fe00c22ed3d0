#pragma once

// Clos fabrics read from text, for clusters that are only counts.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan::testing {

struct ClosCase {
  std::string kind = "leaf-spine";
  int servers = 4;
  int nics = 1;           // of a server
  std::string keys = {};  // of [fabric], beside kind and link; [[fault]] tables may follow
  std::string link = "ib-ndr";
  std::vector<int> pods = {};  // servers of each [[pod]]; empty: one kind of pod
  std::uint64_t seed = 1;
};

// [[fault]] tables of the text have: switch; or from, to, cables; and rate. Every server is a
// domain. All keys must have been read.
std::unique_ptr<const Fabric> clos(const ClosCase& written);
// The same, as what it is.
const ClosShape& shape_of(const Fabric& fabric);
// What a user sees when it is refused; "" when it is not. Line 1 is [fabric], 2 kind, 3 link, 4 the
// first of `keys`.
std::string clos_refusal(const ClosCase& written);

// Names of the links of a route, in order.
std::vector<std::string> link_names(const Fabric& fabric, const FlowKey& flow);
// "spines = 16" among notes that begin so.
bool notes(const Fabric& fabric, std::string_view beginning);

// Of any route between two ports: the ports' own cables come first and last, stages count up from 0
// without a gap, the shares of each sum to 1, links exist.
void expect_sound(const Fabric& fabric, const FlowKey& flow, const FabricRoute& route);

// By link: the sum of shares over all pairs of different ports.
std::map<std::uint32_t, double> loads_of_all_pairs(const Fabric& fabric, std::uint32_t channels);

}  // namespace ringspan::testing
