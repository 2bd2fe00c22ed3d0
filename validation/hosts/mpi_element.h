#pragma once

// nccl-tests' data types and reductions for MPI. MPI has no half, bfloat16 or f8: their reductions
// are functions of ours, which are slow: networks are measured with float.

#include <string>

// What Open MPI's handles point to, so that its header stays behind our .cpp files.
struct ompi_datatype_t;
struct ompi_op_t;

namespace ringspan {

class MpiElement {
 public:
  // `reduces`: else elements are only moved, as bytes. Throws InputError for an unknown type. An
  // average is MPI's sum, to be divided afterwards.
  MpiElement(const std::string& dtype, const std::string& op, bool reduces);
  ~MpiElement();
  MpiElement(const MpiElement&) = delete;
  MpiElement& operator=(const MpiElement&) = delete;

  ompi_datatype_t* type() const { return type_; }
  ompi_op_t* op() const { return op_; }

 private:
  ompi_datatype_t* type_ = nullptr;
  ompi_op_t* op_ = nullptr;
  bool own_type_ = false, own_op_ = false;  // to be freed
};

}  // namespace ringspan
