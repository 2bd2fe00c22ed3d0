#include "models/workloads/attachment_traffic.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ringspan {

namespace {

void add_times(LinkLoad& sum, std::int64_t pairs, const LinkLoad& load) {
  sum.load += static_cast<double>(pairs) * load.load;
  sum.bytes += static_cast<double>(pairs) * load.bytes;
}

}  // namespace

AttachmentTraffic::AttachmentTraffic(const AttachmentClasses& classes, std::vector<Port> ports,
                                     std::vector<std::vector<Stream>> streams)
    : classes_(classes),
      ports_(std::move(ports)),
      streams_(std::move(streams)),
      members_(classes.count),
      kinds_(streams_.size()),
      received_(classes.of.size()),
      pairs_to_class_(classes.count, 0),
      pairs_to_(classes.of.size(), 0) {
  for (std::uint32_t at = 0; at < classes.of.size(); ++at) {
    place_in_class_.push_back(members_[class_of(at)].size());
    members_[class_of(at)].push_back(at);
  }
  for (std::uint32_t i = 0; i < ports_.size(); ++i) kinds_[ports_[i].kind].ports.push_back(i);
  for (Kind& kind : kinds_) place_kind(kind);
}

void AttachmentTraffic::place_kind(Kind& kind) const {
  const auto attachment = [&](std::uint32_t port) { return ports_[port].attachment; };
  std::sort(kind.ports.begin(), kind.ports.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(class_of(attachment(a)), attachment(a), a) <
           std::tuple(class_of(attachment(b)), attachment(b), b);
  });
  kind.at.resize(classes_.of.size(), 0);
  kind.in_class.resize(classes_.count, 0);
  for (std::size_t i = 0; i < kind.ports.size(); ++i) {
    const std::uint32_t at = attachment(kind.ports[i]);
    if (kind.at[at]++ == 0) kind.places.push_back({at, i, 0});
    ++kind.places.back().count;
    if (kind.in_class[class_of(at)]++ == 0) kind.classes.push_back(class_of(at));
  }
  kind.first_place.resize(classes_.count + 1, 0);
  for (const Place& place : kind.places) ++kind.first_place[class_of(place.attachment) + 1];
  for (std::uint32_t c = 0; c < classes_.count; ++c) {
    kind.first_place[c + 1] += kind.first_place[c];
  }
}

void AttachmentTraffic::sum(std::uint32_t from_class) {
  from_ = from_class;
  sent_.assign(members().size() * classes_.count, {});
  received_.assign(received_.size(), {});
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    if (kinds_[kind].in_class[from_] == 0) continue;
    for (const Stream& stream : streams_[kind]) add_stream(kind, stream);
  }
}

void AttachmentTraffic::add_stream(std::uint32_t from_kind, const Stream& stream) {
  const Kind& from = kinds_[from_kind];
  const Kind& to = kinds_[stream.to];
  count_received(from, to);
  for (std::size_t p = from.first_place[from_]; p < from.first_place[from_ + 1]; ++p) {
    const Place& place = from.places[p];
    count_sent(place, to);
    for (std::int64_t i = 0; stream.same_group && i < place.count; ++i) {
      // A domain sends nothing to itself through the fabric.
      const std::uint32_t port = from.ports[place.first_port + static_cast<std::size_t>(i)];
      const std::uint32_t own = ports_[port + stream.to - from_kind].attachment;
      if (own == place.attachment) continue;
      --pairs_to_class_[class_of(own)];
      --pairs_to_[own];
    }
    LinkLoad* row = &sent_[place_in_class_[place.attachment] * classes_.count];
    for (const std::uint32_t other : to.classes) {
      add_times(row[other], std::exchange(pairs_to_class_[other], 0), stream.load);
    }
  }
  for (const Place& place : to.places) {
    add_times(received_[place.attachment], std::exchange(pairs_to_[place.attachment], 0),
              stream.load);
  }
}

// From the ports of a kind in the class to other attachments.
void AttachmentTraffic::count_received(const Kind& from, const Kind& to) {
  for (const Place& place : to.places) {
    const bool inside = class_of(place.attachment) == from_;
    const std::int64_t senders = from.in_class[from_] - (inside ? from.at[place.attachment] : 0);
    pairs_to_[place.attachment] = senders * place.count;
  }
}

// From the ports of a kind on an attachment to the other attachments of every class.
void AttachmentTraffic::count_sent(const Place& place, const Kind& to) {
  for (const std::uint32_t other : to.classes) {
    pairs_to_class_[other] = place.count * to.in_class[other];
  }
  pairs_to_class_[from_] -= place.count * to.at[place.attachment];
}

}  // namespace ringspan
