#include "topologies/fabrics/switch_graph.h"

#include <charconv>

#include <fmt/format.h>

namespace ringspan {

std::string SwitchGraph::switch_name(std::uint32_t number) const {
  return fmt::format("switch{}", number);
}

std::optional<std::uint32_t> SwitchGraph::find_switch(std::string_view name) const {
  return number_after("switch", name, switch_count());
}

std::optional<std::uint32_t> number_after(std::string_view stem, std::string_view name,
                                          std::uint32_t bound) {
  if (!name.starts_with(stem)) return std::nullopt;
  const std::string_view digits = name.substr(stem.size());
  std::uint32_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  const bool whole = error == std::errc() && stop == end && !digits.empty();
  if (!whole || number >= bound || (digits.size() > 1 && digits.front() == '0')) {
    return std::nullopt;
  }
  return number;
}

}  // namespace ringspan
