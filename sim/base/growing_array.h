#pragma once

// An array of plain records that only grows, for tables of millions of them. A std::vector copies a
// table that grows, and faults in every page of the copy; realloc() moves large blocks by their
// page tables (mremap in glibc). Flows of a burst of 1,024 hosts, 80 MB: 0.44 s instead of 0.53 s.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace ringspan {

// Elements start on a cache line, so that records of 2^n bytes lie in as few lines as they can.
template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= 64);

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;
  ~GrowingArray() { std::free(block_); }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }

  // Appends `count` default values and returns the first. Others may move.
  T* extend(std::size_t count = 1) {
    if (size_ + count > capacity_) {
      grow(size_ + count);
    }
    T* added = data_ + size_;
    for (std::size_t i = 0; i < count; ++i) {
      new (added + i) T();
    }
    size_ += count;
    return added;
  }

 private:
  static constexpr std::size_t kLine = 64;

  void grow(std::size_t needed) {
    const std::size_t capacity = needed > 2 * capacity_ ? needed : 2 * capacity_;
    const std::size_t offset = block_ == nullptr ? 0 : bytes_before_data();
    void* block = std::realloc(block_, capacity * sizeof(T) + kLine);
    if (block == nullptr) {
      throw std::bad_alloc();
    }
    block_ = block;
    auto* bytes = static_cast<unsigned char*>(block);
    const std::size_t aligned = (kLine - reinterpret_cast<std::uintptr_t>(bytes) % kLine) % kLine;
    if (aligned != offset) {
      std::memmove(bytes + aligned, bytes + offset, size_ * sizeof(T));
    }
    data_ = reinterpret_cast<T*>(bytes + aligned);
    capacity_ = capacity;
  }

  std::size_t bytes_before_data() const {
    return static_cast<std::size_t>(reinterpret_cast<unsigned char*>(data_) -
                                    static_cast<unsigned char*>(block_));
  }

  void* block_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace ringspan
