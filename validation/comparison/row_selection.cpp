#include "validation/comparison/row_selection.h"

namespace ringspan {

bool RowSelection::takes(const ComparedRow& row) const {
  return (!fabric_class || row.fabric_class == *fabric_class) &&
         (!size_class || size_class_of(row.row.bytes) == *size_class);
}

std::string RowSelection::group() const {
  return fabric_class ? std::string(fabric_class_name(*fabric_class)) : "all";
}

std::vector<RowSelection> all_selections() {
  std::vector<RowSelection> list;
  for (const FabricClass fabric_class : kAllFabricClasses) {
    for (const SizeClass size_class : kAllSizeClasses) list.push_back({fabric_class, size_class});
  }
  for (const SizeClass size_class : kAllSizeClasses) list.push_back({std::nullopt, size_class});
  list.push_back({});
  return list;
}

}  // namespace ringspan
