#pragma once

// Which rows a line of a table is of: a class of fabrics, of sizes, both or all.

#include <optional>
#include <string>
#include <vector>

#include "validation/comparison/comparison.h"

namespace ringspan {

struct RowSelection {
  std::optional<FabricClass> fabric_class;  // absent: all
  std::optional<SizeClass> size_class;      // absent: both

  bool takes(const ComparedRow& row) const;
  std::string group() const;  // the class of fabrics, or "all"
};

// Each class of fabrics with each of sizes, then all fabrics: small, large and both.
std::vector<RowSelection> all_selections();

}  // namespace ringspan
