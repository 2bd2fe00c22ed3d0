#pragma once

// An XML document as plain data: elements with their attributes, and where each stands.

#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

struct XmlAttribute {
  std::string name;
  std::string value;
  int line = 0, column = 0;  // from 1
};

struct XmlElement {
  std::string name;
  int line = 0, column = 0;  // of the name, from 1
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;  // elements only, in the order of the file

  const XmlAttribute* find(std::string_view attribute) const;  // nullptr: absent
};

// The one element that holds all others. Entities of a document type are not expanded. Throws
// InputError: not XML, cut off, several outermost elements, an attribute twice in one element,
// nested deeper than 64, more than 50,000 elements.
XmlElement read_xml(std::string_view text, const std::string& file);

}  // namespace ringspan
