#pragma once

// Who belongs to which group, and when a group's next member ends.

#include <cstdint>
#include <vector>

#include "sim/network/fluid_flows.h"
#include "sim/network/fluid_links.h"

namespace ringspan::fluid {

// now + remaining / rate, rounded up to a picosecond but for a slack of 2^-10 ps, which absorbs the
// rounding error of the quotient; at least now + 1.
std::int64_t finish_time(std::int64_t now, double remaining, double rate);

class Groups {
 public:
  Groups(FlowTable& flows, std::vector<Link>& links)
      : flows_(flows), links_(links), column_(links.size()) {}

  // Makes joins to this group possible, until the next call.
  void prepare(std::uint32_t group, std::int64_t now);
  // Puts a flow with `remaining` bytes, at `now`, into the group prepared.
  void join(std::uint32_t slot, double remaining);
  // Takes a flow out of its group, which loses its load, and returns what remains of it at `now`.
  double leave(std::uint32_t slot, std::int64_t now);
  // Takes all flows out of the group at once.
  void dissolve(std::uint32_t group);
  // Sets the rate of a group. The same rate bit for bit changes nothing.
  void set_level(std::uint32_t group, double level, std::int64_t now);
  // Recomputes when the first member ends.
  void update_finish(std::uint32_t group);
  // Appends the members that end at `now`. If these are all, they leave the group here.
  void take_ending(std::uint32_t group, std::int64_t now, std::vector<std::uint32_t>& slots);

  // Bytes on the cell's link per byte of all its flows.
  double bytes(const Group& group, std::size_t cell) const {
    return weighted_ ? group.bytes[cell] : static_cast<double>(group.cells[cell].count);
  }
  // To be called once weights have come, before the first flow with weights joins.
  void use_weights();
  bool weighted() const { return weighted_; }

 private:
  void settle(Group& group, std::int64_t now) const;
  void rebase(std::uint32_t group);
  void compact(std::uint32_t group);
  std::uint32_t cell_for(Group& group, std::uint32_t link);
  void show_in_row(std::uint32_t group, std::uint32_t cell);
  void hide_from_row(const Cell& cell);
  bool present(std::uint32_t group, const Member& member) const;

  struct ColumnEntry {
    std::uint64_t round = 0;
    std::uint32_t cell = 0;
  };

  FlowTable& flows_;
  std::vector<Link>& links_;
  std::vector<ColumnEntry> column_;  // by link: the cell of the group prepared
  std::uint64_t round_ = 0;
  std::uint32_t prepared_ = 0;
  bool weighted_ = false;
};

}  // namespace ringspan::fluid
