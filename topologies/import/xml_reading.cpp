#include "topologies/import/xml_reading.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"

namespace ringspan {

void XmlSource::fail(const XmlElement& element, std::string message, std::string hint) const {
  throw InputError(SourcePosition{file, element.line, element.column}, std::move(message),
                   std::move(hint));
}

void XmlSource::fail(const XmlAttribute& attribute, std::string message, std::string hint) const {
  throw InputError(SourcePosition{file, attribute.line, attribute.column}, std::move(message),
                   std::move(hint));
}

const XmlAttribute& XmlSource::attribute(const XmlElement& element, std::string_view name,
                                         std::string_view hint) const {
  const XmlAttribute* found = element.find(name);
  if (found == nullptr || found->value.empty()) {
    fail(element, fmt::format("<{}> has no {}", harmless_text(element.name), name),
         std::string(hint));
  }
  return *found;
}

std::int64_t XmlSource::integer(const XmlAttribute& attribute, std::int64_t least,
                                std::int64_t most) const {
  const std::string& text = attribute.value;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    fail(attribute, fmt::format("{} is no {}", quote_text(text), attribute.name),
         fmt::format("a whole number from {} to {}", least, most));
  }
  return value;
}

std::optional<std::int64_t> XmlSource::find_integer(const XmlElement& element,
                                                    std::string_view name, std::int64_t least,
                                                    std::int64_t most) const {
  const XmlAttribute* found = element.find(name);
  if (found == nullptr || found->value.empty()) return std::nullopt;
  return integer(*found, least, most);
}

std::string_view text_or_empty(const XmlElement& element, std::string_view name) {
  const XmlAttribute* found = element.find(name);
  return found == nullptr ? std::string_view() : std::string_view(found->value);
}

}  // namespace ringspan
