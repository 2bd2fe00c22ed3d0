#pragma once

// A torus as numbers: coordinates, neighbours, shortest ways. A switch's number is
// x0 + size0 (x1 + size1 (x2 + ...)).
//
// Twist: who goes once round dimension `wrap` comes back `by` further in dimension `shift`. A torus
// is then Z^n over the lattice spanned by size_d e_d - by e_shift; distances depend on differences
// only, and are tabled once (Camara et al., "Twisted torus topologies for enhanced interconnection
// networks", IEEE TPDS 21(12), 2010).

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringspan {

inline constexpr std::size_t kMostTorusDimensions = 6;

struct TorusTwist {
  std::uint32_t wrap = 0, shift = 0;  // dimensions, different ones
  std::uint32_t by = 0;               // 1 .. size of `shift` - 1
};

struct TorusStep {
  std::uint32_t dimension = 0;
  bool up = true;
};

// Steps that lead nearer, in order of dimension: at most two each.
struct TorusSteps {
  std::array<TorusStep, 2 * kMostTorusDimensions> steps;
  std::uint32_t count = 0;
};

class TorusShape {
 public:
  // 1 to 6 sizes, each at least 1, with a product below 2^31. No dimension is both wrap and shift,
  // and none wraps twice.
  TorusShape(std::vector<std::uint32_t> sizes, std::vector<TorusTwist> twists);

  const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  std::uint32_t switches() const { return switches_; }
  std::uint32_t coordinate(std::uint32_t number, std::uint32_t dimension) const;
  // 2; 1 where the size is 2, since the neighbour up is the one down; 0 where it is 1. A twisted
  // dimension of size 2 has 2.
  std::uint32_t directions(std::uint32_t dimension) const;
  std::uint32_t neighbour(std::uint32_t number, TorusStep step) const;

  // Replaces `out` by the steps from `at` that lead nearer to `end`. Where up and down are equally
  // near, the one that the parity of `source`'s coordinate names comes first: even up, odd down.
  void nearer(std::uint32_t at, std::uint32_t end, std::uint32_t source, TorusSteps& out) const;
  std::uint32_t hops(std::uint32_t from, std::uint32_t to) const;

 private:
  using Point = std::array<std::int64_t, kMostTorusDimensions>;

  Point point(std::uint32_t number) const;
  std::uint32_t number(Point point) const;  // of any point of Z^n
  std::uint32_t difference(std::uint32_t from, std::uint32_t to) const;
  std::uint32_t plain_hops(std::uint32_t difference) const;
  void plain_nearer(std::uint32_t at, std::uint32_t end, std::uint32_t source,
                    TorusSteps& out) const;
  void make_table();

  std::vector<std::uint32_t> sizes_;
  std::vector<TorusTwist> twists_;
  std::uint32_t switches_ = 1;
  std::vector<std::uint32_t> hops_;  // by difference; empty without twist
};

}  // namespace ringspan
