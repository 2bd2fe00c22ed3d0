#include "sim/base/check.h"

#include <stdexcept>
#include <string>

namespace ringspan {

void fail_check(const char* condition, const char* what, const char* file, int line) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + what + " (" +
                         condition + ")");
}

}  // namespace ringspan
