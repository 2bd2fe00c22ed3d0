#include "tests/support/heap_count.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

// One thread: tests of memory start no other.
std::int64_t in_use = 0;
std::int64_t peak = 0;

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) return nullptr;
  in_use += static_cast<std::int64_t>(malloc_usable_size(block));
  peak = std::max(peak, in_use);
  return block;
}

void* operator new(std::size_t size) {
  void* const block = operator new(size, std::nothrow);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  in_use -= static_cast<std::int64_t>(malloc_usable_size(block));
  std::free(block);
}

void operator delete(void* block, std::size_t /*size*/) noexcept { operator delete(block); }

void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept {
  operator delete(block);
}

namespace ringspan::testing {

std::int64_t heap_bytes() { return in_use; }

std::int64_t take_heap_peak() {
  const std::int64_t most = peak;
  peak = in_use;
  return most;
}

}  // namespace ringspan::testing
