#include "topologies/builders/override_router.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace ringspan {

namespace {

constexpr std::array<std::string_view, 5> kSections = {"fabric", "pod", "fault", "network",
                                                       "transport"};

std::string_view first_part(std::string_view key) { return key.substr(0, key.find('.')); }

bool is_section(std::string_view key) {
  return std::find(kSections.begin(), kSections.end(), first_part(key)) != kSections.end();
}

bool is_wiring(std::string_view key) {
  return key.starts_with("node.device") || key.starts_with("node.link");
}

bool has_use(const ConfigDocument& document) {
  const ConfigNode root = document.root();
  if (!root.has("node")) return false;
  const std::optional<ConfigNode> node = root.find_child("node");
  return node && node->has("use");
}

// A key of a table that no file has: "--set transport.pxn=false" makes [transport].
bool makes_table(const ConfigDocument& document, std::string_view key) {
  const std::string_view table = first_part(key);
  return (table == "fabric" || table == "transport") && table != key && !document.root().has(table);
}

}  // namespace

OverrideRouter::OverrideRouter(const SystemOverrides& overrides)
    : overrides_(overrides), done_(overrides.size(), false) {}

bool OverrideRouter::belongs_to(const ConfigDocument& document, std::string_view key) const {
  if (is_wiring(key)) return !has_use(document);
  if (is_section(key)) return document.root().has(first_part(key));
  return outermost_;
}

void OverrideRouter::apply(ConfigDocument& document) {
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    const auto& [key, value] = overrides_[i];
    if (done_[i] || !belongs_to(document, key)) continue;
    document.set(key, value);
    done_[i] = true;
  }
  outermost_ = false;
}

void OverrideRouter::apply_rest(ConfigDocument& outermost) {
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    if (done_[i]) continue;
    const auto& [key, value] = overrides_[i];
    if (makes_table(outermost, key)) outermost.set(first_part(key), "{}");
    outermost.set(key, value);
    done_[i] = true;
  }
}

}  // namespace ringspan
