#pragma once

// A fault inside a domain, as a change of its draft.

#include <cstdint>
#include <tuple>

#include "sim/config/config_node.h"
#include "topologies/builders/domain_draft.h"

namespace ringspan {

struct DomainEdit {
  enum class What { Device, Cables };
  What what = What::Device;
  NodeId a, b;              // b: of cables, the other end
  std::int64_t cables = 0;  // how many; 0: all
  double rate = 0;          // what is left, as a share; 0 = dead

  bool operator<(const DomainEdit& other) const { return key() < other.key(); }

 private:
  std::tuple<What, NodeId, NodeId, std::int64_t, double> key() const {
    return {what, a, b, cables, rate};
  }
};

// Throws InputError at the fault's table: no such cables, fewer than named, a rate too low.
void apply_edit(const DomainEdit& edit, const ConfigNode& table, DomainDraft& draft);

}  // namespace ringspan
