#pragma once

// Switches and cables as somebody wrote them down.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabrics/switch_graph.h"

namespace ringspan {

class CustomGraph final : public SwitchGraph {
 public:
  // Parallel cables between two different switches, both directions.
  struct Cables {
    std::uint32_t a = 0, b = 0;
    std::uint32_t count = 1;
    std::uint32_t kind = 0;
  };

  // Names are different ones. pooled: one link stands for parallel cables.
  CustomGraph(std::vector<std::string> names, const std::vector<Cables>& cables, bool pooled);

  std::uint32_t switch_count() const override { return static_cast<std::uint32_t>(names_.size()); }
  std::uint32_t link_count() const override { return link_count_; }
  void bundles(std::uint32_t at, std::vector<SwitchBundle>& out) const override;
  SwitchBundle bundle_of(std::uint32_t link) const override;
  std::string switch_name(std::uint32_t number) const override { return names_[number]; }
  std::optional<std::uint32_t> find_switch(std::string_view name) const override;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<SwitchBundle> bundles_;  // by switch they leave, then by the one they lead to
  std::vector<std::size_t> first_;     // by switch, and one more
  std::uint32_t link_count_ = 0;
};

}  // namespace ringspan
