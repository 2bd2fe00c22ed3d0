#pragma once

// What the attachments of a fabric (leaves) send each other when every port of a kind sends the
// same to every port of another kind, summed over alike attachments (Fabric::attachment_classes()).
// A class of leaves sends to a class of leaves by one route: 1,536 leaves in 8 pods are 64 sums,
// not 2.4 million. Pairs of ports are counted in whole numbers, so where nothing is sent there is
// zero.

#include <cstdint>
#include <span>
#include <vector>

#include "models/workloads/load_partition.h"
#include "topologies/fabrics/fabric.h"

namespace ringspan {

class AttachmentTraffic {
 public:
  // A port that takes part. A domain's ports stand side by side, in the order of their kinds, which
  // are all the kinds of its group of domains: port i of kind k has port i + l - k of kind l in its
  // own domain.
  struct Port {
    std::uint32_t attachment = 0;
    std::uint32_t kind = 0;
  };
  // What a port sends to every port of the kind `to` outside its domain. same_group: its own domain
  // has one of that kind.
  struct Stream {
    std::uint32_t to = 0;
    bool same_group = false;
    LinkLoad load;
  };

  // streams[kind]: what its ports send. `classes` must outlive this.
  AttachmentTraffic(const AttachmentClasses& classes, std::vector<Port> ports,
                    std::vector<std::vector<Stream>> streams);

  // Sums what the attachments of a class send to all others, and finds these for the calls below.
  void sum(std::uint32_t from_class);
  std::span<const std::uint32_t> members() const { return members_of(from_); }  // ascending
  // From a member, by its place in members(), to the other attachments of a class.
  const LinkLoad& sent(std::size_t member, std::uint32_t to_class) const {
    return sent_[member * classes_.count + to_class];
  }
  // From all members but itself to an attachment.
  const LinkLoad& received(std::uint32_t attachment) const { return received_[attachment]; }
  std::span<const std::uint32_t> members_of(std::uint32_t which) const { return members_[which]; }

 private:
  // Ports of one kind on one attachment: those from first_port to the next one's.
  struct Place {
    std::uint32_t attachment = 0;
    std::size_t first_port = 0;
    std::int64_t count = 0;
  };
  struct Kind {
    std::vector<Place> places;             // by class, then by attachment
    std::vector<std::uint32_t> ports;      // in the order of their places
    std::vector<std::int64_t> at;          // by attachment: how many
    std::vector<std::int64_t> in_class;    // by class: how many
    std::vector<std::uint32_t> classes;    // that have one
    std::vector<std::size_t> first_place;  // by class, and one more
  };
  std::uint32_t class_of(std::uint32_t attachment) const { return classes_.of[attachment]; }
  void place_kind(Kind& kind) const;
  void add_stream(std::uint32_t from_kind, const Stream& stream);
  void count_received(const Kind& from, const Kind& to);
  void count_sent(const Place& place, const Kind& to);

  const AttachmentClasses& classes_;
  std::vector<Port> ports_;
  std::vector<std::vector<Stream>> streams_;
  std::vector<std::vector<std::uint32_t>> members_;  // by class
  std::vector<std::size_t> place_in_class_;          // by attachment
  std::vector<Kind> kinds_;
  std::uint32_t from_ = 0;
  std::vector<LinkLoad> sent_, received_;
  // Pairs of ports, of the stream that is being added: by class, by attachment; else zero.
  std::vector<std::int64_t> pairs_to_class_, pairs_to_;
};

}  // namespace ringspan
