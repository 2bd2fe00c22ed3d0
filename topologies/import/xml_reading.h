#pragma once

// Attributes of XML elements as what they should be. Throws InputError at the attribute, or at the
// element that lacks it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "topologies/import/xml_element.h"

namespace ringspan {

struct XmlSource {
  const std::string& file;

  [[noreturn]] void fail(const XmlElement& element, std::string message, std::string hint) const;
  [[noreturn]] void fail(const XmlAttribute& attribute, std::string message,
                         std::string hint) const;

  // Required, and not empty.
  const XmlAttribute& attribute(const XmlElement& element, std::string_view name,
                                std::string_view hint) const;
  std::int64_t integer(const XmlAttribute& attribute, std::int64_t least, std::int64_t most) const;
  // nullopt: absent or empty.
  std::optional<std::int64_t> find_integer(const XmlElement& element, std::string_view name,
                                           std::int64_t least, std::int64_t most) const;
};

// Empty where it is absent.
std::string_view text_or_empty(const XmlElement& element, std::string_view name);

}  // namespace ringspan
