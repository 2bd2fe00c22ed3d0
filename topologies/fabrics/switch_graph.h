#pragma once

// Switches and the cables between them, by formula: what direct networks (torus, dragonfly) and
// freely wired ones have in common. Links between switches are numbered from 0, one direction each.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

// The parallel cables from one switch to another, in that direction.
struct SwitchBundle {
  std::uint32_t from = 0, to = 0;
  std::uint32_t first_link = 0;
  std::uint32_t links = 1;   // a link for every cable, or one for all of them: a pool
  std::uint32_t cables = 1;  // dead ones included
  std::uint32_t kind = 0;    // of cable; the fabric knows them

  std::uint32_t link(std::uint32_t cable) const { return first_link + (links == 1 ? 0 : cable); }
};

class SwitchGraph {
 public:
  virtual ~SwitchGraph() = default;

  virtual std::uint32_t switch_count() const = 0;
  virtual std::uint32_t link_count() const = 0;
  // Replaces `out` by what leaves a switch, in order. Every bundle has one the other way round.
  virtual void bundles(std::uint32_t at, std::vector<SwitchBundle>& out) const = 0;
  virtual SwitchBundle bundle_of(std::uint32_t link) const = 0;

  // "switch17"; a name that no switch has: nullopt.
  virtual std::string switch_name(std::uint32_t number) const;
  virtual std::optional<std::uint32_t> find_switch(std::string_view name) const;
};

// "switch17" with stem "switch" -> 17; anything else, a leading zero and numbers from `bound` on:
// nullopt.
std::optional<std::uint32_t> number_after(std::string_view stem, std::string_view name,
                                          std::uint32_t bound);

}  // namespace ringspan
