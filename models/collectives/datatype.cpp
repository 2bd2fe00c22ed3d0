#include "models/collectives/datatype.h"

#include <array>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

struct DataType {
  std::string_view name;
  int bytes;
};

constexpr std::array kDataTypes = {
    DataType{"int8", 1},   DataType{"uint8", 1},    DataType{"int32", 4},  DataType{"uint32", 4},
    DataType{"int64", 8},  DataType{"uint64", 8},   DataType{"half", 2},   DataType{"float", 4},
    DataType{"double", 8}, DataType{"bfloat16", 2}, DataType{"f8e4m3", 1}, DataType{"f8e5m2", 1}};

}  // namespace

int dtype_size(std::string_view dtype) {
  for (const DataType& type : kDataTypes) {
    if (type.name == dtype) return type.bytes;
  }
  throw InputError("unknown data type '" + std::string(dtype) + "'",
                   name_hint(dtype, dtype_names()));
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const DataType& type : kDataTypes) names.emplace_back(type.name);
  return names;
}

std::vector<std::string> reduction_names() { return {"sum", "prod", "min", "max", "avg"}; }

}  // namespace ringspan
