#pragma once

#include <string>

#include "sim/base/input_error.h"

namespace ringspan {

// The whole text of the InputError that `call` throws, or "" when it throws none.
template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace ringspan
