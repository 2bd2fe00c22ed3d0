#include "topologies/import/xml_element.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

constexpr int kDeepest = 64;
constexpr int kMostElements = 50'000;

constexpr std::string_view kNotXmlHint =
    "a topology that NCCL wrote itself (NCCL_TOPO_DUMP_FILE=topo.xml) is such a file";

// Lines and columns of places in a text.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  int line(std::size_t offset) const {
    return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                            starts_.begin());
  }
  int column(std::size_t offset) const {
    return static_cast<int>(offset - starts_[static_cast<std::size_t>(line(offset)) - 1]) + 1;
  }

 private:
  std::vector<std::size_t> starts_ = {0};
};

bool is_blank(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file), lines_(text) {}

  XmlElement read() {
    const std::size_t zero = text_.find('\0');
    if (zero != std::string_view::npos) fail(zero, "this is no text", kNotXmlHint);
    pugi::xml_document document;
    const pugi::xml_parse_result result =
        document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result) refuse(result);
    pugi::xml_node outermost;
    for (const pugi::xml_node& node : document.children()) {
      if (node.type() != pugi::node_element) continue;
      if (outermost) {
        fail(offset_of(node), "a second outermost element: " + quote_text(node.name()),
             "a file holds one topology");
      }
      outermost = node;
    }
    return element(outermost, 1);
  }

 private:
  [[noreturn]] void fail(std::size_t offset, std::string message, std::string_view hint) const {
    throw InputError(SourcePosition{file_, lines_.line(offset), lines_.column(offset)},
                     std::move(message), std::string(hint));
  }

  [[noreturn]] void refuse(const pugi::xml_parse_result& result) const {
    const auto offset = std::min(
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text_.size());
    switch (result.status) {
      case pugi::status_no_document_element:
        fail(0, "the file holds no XML element", kNotXmlHint);
      case pugi::status_end_element_mismatch:
        fail(offset, "an element is not closed, or another one is",
             "the file is cut off or was edited: every <name> needs its </name>");
      default:
        fail(offset, fmt::format("this is no XML: {}", lower_case(result.description())),
             "the file is cut off, was edited, or is no XML");
    }
  }

  // "Error parsing start element tag" -> "error parsing start element tag"
  static std::string lower_case(std::string description) {
    if (!description.empty() && description.front() >= 'A' && description.front() <= 'Z') {
      description.front() = static_cast<char>(description.front() - 'A' + 'a');
    }
    return description;
  }

  // Of the element's name.
  static std::size_t offset_of(const pugi::xml_node& node) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
  }

  XmlElement element(const pugi::xml_node& node, int depth) {
    const std::size_t offset = offset_of(node);
    if (depth > kDeepest) {
      fail(offset, fmt::format("elements are nested deeper than {}", kDeepest),
           "no PCIe tree is that deep");
    }
    if (++elements_ > kMostElements) {
      fail(offset, fmt::format("the file holds more than {} elements", kMostElements),
           "no server has that many devices");
    }
    XmlElement result{node.name(), lines_.line(offset), lines_.column(offset), {}, {}};
    add_attributes(node, offset + result.name.size(), result);
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) result.children.push_back(element(child, depth + 1));
    }
    return result;
  }

  // The parser keeps no places of attributes: they are looked up in the tag, which it has accepted.
  void add_attributes(const pugi::xml_node& node, std::size_t at, XmlElement& result) const {
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      while (at < text_.size() && is_blank(text_[at])) ++at;
      if (result.find(attribute.name()) != nullptr) {
        fail(at,
             fmt::format("{} stands twice in <{}>", quote_text(attribute.name()),
                         harmless_text(result.name)),
             "remove one of them");
      }
      result.attributes.push_back(
          {attribute.name(), attribute.value(), lines_.line(at), lines_.column(at)});
      const std::size_t open = std::min(text_.find_first_of("\"'", at), text_.size() - 1);
      at = std::min(text_.find(text_[open], open + 1), text_.size() - 1) + 1;
    }
  }

  std::string_view text_;
  const std::string& file_;
  Lines lines_;
  int elements_ = 0;
};

}  // namespace

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const XmlAttribute& one) { return one.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

XmlElement read_xml(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

}  // namespace ringspan
