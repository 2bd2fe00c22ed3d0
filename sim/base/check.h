#pragma once

// RINGSPAN_CHECK(condition, what): for our own mistakes, never for input. Throws std::logic_error.

namespace ringspan {

[[noreturn]] void fail_check(const char* condition, const char* what, const char* file, int line);

}  // namespace ringspan

#define RINGSPAN_CHECK(condition, what)                             \
  do {                                                              \
    if (!(condition)) {                                             \
      ::ringspan::fail_check(#condition, what, __FILE__, __LINE__); \
    }                                                               \
  } while (false)
