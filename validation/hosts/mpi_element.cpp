#include "validation/hosts/mpi_element.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>

#include "validation/hosts/mpi_call.h"
#include "validation/replay/element_type.h"

namespace ringspan {

namespace {

MPI_Datatype builtin_type(const std::string& dtype) {
  if (dtype == "int8") return MPI_INT8_T;
  if (dtype == "uint8") return MPI_UINT8_T;
  if (dtype == "int32") return MPI_INT32_T;
  if (dtype == "uint32") return MPI_UINT32_T;
  if (dtype == "int64") return MPI_INT64_T;
  if (dtype == "uint64") return MPI_UINT64_T;
  if (dtype == "float") return MPI_FLOAT;
  if (dtype == "double") return MPI_DOUBLE;
  return MPI_DATATYPE_NULL;
}

MPI_Op builtin_op(const std::string& op) {
  if (op == "prod") return MPI_PROD;
  if (op == "min") return MPI_MIN;
  if (op == "max") return MPI_MAX;
  return MPI_SUM;
}

enum class Reduction { Sum, Product, Least, Most };

double combine(Reduction reduction, double a, double b) {
  switch (reduction) {
    case Reduction::Product:
      return a * b;
    case Reduction::Least:
      return std::min(a, b);
    case Reduction::Most:
      return std::max(a, b);
    case Reduction::Sum:
      break;
  }
  return a + b;
}

template <typename Type, Reduction reduction>
void reduce_elements(void* in, void* in_out, int* count, MPI_Datatype* /*type*/) {
  const ElementType type = element_type(Type::kName);
  const auto* const from = static_cast<const std::byte*>(in);
  auto* const to = static_cast<std::byte*>(in_out);
  for (std::ptrdiff_t i = 0; i < *count; ++i) {
    const std::ptrdiff_t at = i * type.bytes;
    store_element(type,
                  combine(reduction, load_element(type, from + at), load_element(type, to + at)),
                  to + at);
  }
}

struct Half {
  static constexpr const char* kName = "half";
};
struct Bfloat16 {
  static constexpr const char* kName = "bfloat16";
};
struct F8e4m3 {
  static constexpr const char* kName = "f8e4m3";
};
struct F8e5m2 {
  static constexpr const char* kName = "f8e5m2";
};

template <typename Type>
MPI_User_function* function_of(const std::string& op) {
  if (op == "prod") return reduce_elements<Type, Reduction::Product>;
  if (op == "min") return reduce_elements<Type, Reduction::Least>;
  if (op == "max") return reduce_elements<Type, Reduction::Most>;
  return reduce_elements<Type, Reduction::Sum>;
}

MPI_User_function* own_function(const std::string& dtype, const std::string& op) {
  if (dtype == "half") return function_of<Half>(op);
  if (dtype == "bfloat16") return function_of<Bfloat16>(op);
  if (dtype == "f8e4m3") return function_of<F8e4m3>(op);
  return function_of<F8e5m2>(op);
}

}  // namespace

MpiElement::MpiElement(const std::string& dtype, const std::string& op, bool reduces) {
  const ElementType element = element_type(dtype);
  type_ = builtin_type(dtype);
  op_ = builtin_op(op);
  if (type_ != MPI_DATATYPE_NULL && reduces) return;
  mpi_call(MPI_Type_contiguous(element.bytes, MPI_BYTE, &type_), "MPI_Type_contiguous");
  own_type_ = true;
  mpi_call(MPI_Type_commit(&type_), "MPI_Type_commit");
  if (!reduces) return;
  mpi_call(MPI_Op_create(own_function(dtype, op), 1, &op_), "MPI_Op_create");
  own_op_ = true;
}

MpiElement::~MpiElement() {
  if (own_op_) MPI_Op_free(&op_);
  if (own_type_) MPI_Type_free(&type_);
}

}  // namespace ringspan
