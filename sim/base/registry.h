#pragma once

// Registry<Factory>: name -> description + factory, in the order added. A value, not a singleton:
// each folder has a registry.cpp that returns one. Unknown names are refused with the nearest one.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

template <typename Factory>
class Registry {
 public:
  struct Entry {
    std::string name;
    std::string description;  // one line for `ringspan list`
    Factory factory;
  };

  // `kind` names what is registered in messages: "algorithm", "routing".
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  void add(std::string name, std::string description, Factory factory) {
    RINGSPAN_CHECK(find(name) == nullptr, "a name is registered twice");
    entries_.push_back({std::move(name), std::move(description), std::move(factory)});
  }

  const std::vector<Entry>& entries() const { return entries_; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) names.push_back(entry.name);
    return names;
  }

  const Entry* find(std::string_view name) const {
    for (const Entry& entry : entries_) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }

  // Throws InputError with the nearest name, or the list of names, as hint.
  const Entry& at(std::string_view name) const {
    if (const Entry* entry = find(name)) return *entry;
    throw InputError("unknown " + kind_ + " '" + std::string(name) + "'", name_hint(name, names()));
  }

 private:
  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace ringspan
