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
  Groups(FlowTable& flows, const std::vector<Link>& links, std::vector<LinkShare>& shares)
      : flows_(flows), links_(links), shares_(shares), column_(links.size()) {}

  // Makes joins to this group possible, until the next call; of at most `joining` flows.
  void prepare(std::uint32_t group, std::int64_t now, std::uint32_t joining);
  // Puts a flow with `remaining` bytes, at `now`, into the group prepared.
  void join(std::uint32_t slot, double remaining);
  // Takes a flow out of its group, which loses its load, and returns what remains of it at `now`.
  double leave(std::uint32_t slot, std::int64_t now);
  // Sets the rate of a group. The same rate bit for bit changes nothing.
  void set_level(std::uint32_t group, double level, std::int64_t now);
  // Recomputes when the first member ends.
  void update_finish(std::uint32_t group);
  bool all_end(std::uint32_t group, std::int64_t now) const;
  // Appends the members that end at `now`; they are still in the group.
  void find_ending(std::uint32_t group, std::int64_t now, std::vector<std::uint32_t>& slots);
  // Appends all members, and takes them out of the group at once.
  void take_all(std::uint32_t group, std::vector<std::uint32_t>& slots);

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
  const std::vector<Link>& links_;
  std::vector<LinkShare>& shares_;
  std::vector<ColumnEntry> column_;  // by link: the cell of the group prepared
  std::uint64_t round_ = 0;
  std::uint32_t prepared_ = 0;
  bool weighted_ = false;
};

}  // namespace ringspan::fluid
