#include "topologies/builders/system_header.h"

#include <algorithm>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

// Names stand in tables and CSV fields.
bool is_printable(const std::string& text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string read_line(const ConfigNode& root, std::string_view key, bool required) {
  if (!required && !given(root, key)) return {};
  std::string text = root.text(key);
  if (required && text.empty()) {
    root.fail(key, fmt::format("the {} is empty", key), "write one line of text");
  }
  if (!is_printable(text)) {
    root.fail(key, fmt::format("the {} has a line break or control character", key),
              "write one line of text");
  }
  return text;
}

}  // namespace

SystemInfo read_system_header(const ConfigNode& root) {
  SystemInfo info;
  info.name = read_line(root, "name", true);
  info.description = read_line(root, "description", false);
  if (given(root, "sources")) info.sources = root.texts("sources");
  return info;
}

}  // namespace ringspan
