#include "validation/replay/reference_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "models/collectives/datatype.h"
#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

// A prime, so that no block of a usual size begins where another does.
constexpr std::int64_t kPeriod = 241;

// Byte `at` of what `rank` moves.
std::byte moved_byte(int rank, std::int64_t at) {
  std::uint64_t word = (static_cast<std::uint64_t>(at) / 8 + 1) * 0x9e3779b97f4a7c15;
  word ^= static_cast<std::uint64_t>(rank + 1) * 0xbf58476d1ce4e5b9;
  word ^= word >> 29;
  return static_cast<std::byte>(word >> (8 * (static_cast<std::uint64_t>(at) % 8)));
}

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

ReferenceData::ReferenceData(ReferenceSpec spec)
    : spec_(std::move(spec)), type_(element_type(spec_.dtype)) {
  const std::vector<std::string> ops = reduction_names();
  if (std::find(ops.begin(), ops.end(), spec_.op) == ops.end()) {
    throw InputError("unknown reduction '" + spec_.op + "'", name_hint(spec_.op, ops));
  }
  if (!collective_reduces(spec_.kind)) return;
  const auto bytes = static_cast<std::size_t>(kPeriod * type_.bytes);
  expected_.resize(bytes);
  given_.assign(static_cast<std::size_t>(spec_.ranks), std::vector<std::byte>(bytes));
  for (std::int64_t i = 0; i < kPeriod; ++i) {
    const std::size_t at = static_cast<std::size_t>(i * type_.bytes);
    for (int rank = 0; rank < spec_.ranks; ++rank) {
      store_element(type_, value(rank, i), &given_[static_cast<std::size_t>(rank)][at]);
    }
    expected_values_.push_back(reduced(i));
    store_element(type_, expected_values_.back(), &expected_[at]);
  }
}

// Whole numbers; of many ranks only some give more than the neutral element, so that the result
// stays within what the type has exactly.
double ReferenceData::value(int rank, std::int64_t index) const {
  const auto most = static_cast<std::int64_t>(type_.exact_up_to);
  if (spec_.op == "prod") {
    constexpr std::int64_t kMostTwos = 6;  // 2^6 fits an int8
    return (rank + index) % std::max<std::int64_t>(2, ceiling(spec_.ranks, kMostTwos)) == 0 ? 2 : 1;
  }
  if (spec_.op == "min" || spec_.op == "max")
    return static_cast<double>((rank * 5 + index * 3) % most);
  if (spec_.ranks > most) return (rank + index) % ceiling(spec_.ranks, most) == 0 ? 1 : 0;
  return static_cast<double>((rank * 7 + index * 3) %
                             (std::min<std::int64_t>(most / spec_.ranks, 16) + 1));
}

double ReferenceData::reduced(std::int64_t index) const {
  double result = value(0, index);
  for (int rank = 1; rank < spec_.ranks; ++rank) {
    const double next = value(rank, index);
    if (spec_.op == "prod") result *= next;
    if (spec_.op == "min") result = std::min(result, next);
    if (spec_.op == "max") result = std::max(result, next);
    if (spec_.op == "sum" || spec_.op == "avg") result += next;
  }
  if (spec_.op != "avg") return result;
  result /= spec_.ranks;
  return type_.is_float ? result : std::trunc(result);
}

// NCCL multiplies every input by 1/n before it adds: n roundings of up to half a last place each.
bool ReferenceData::agrees(double expected, double received) const {
  if (expected == received) return true;
  if (spec_.op != "avg" || !type_.is_float) return false;
  const double last_place = std::ldexp(1.0, -type_.mantissa_bits);
  return std::abs(expected - received) <=
         (spec_.ranks + 1) * last_place * std::max(expected, last_place);
}

void ReferenceData::fill(int rank, std::span<std::byte> send) const {
  if (!collective_reduces(spec_.kind)) {
    for (std::size_t i = 0; i < send.size(); ++i) {
      send[i] = moved_byte(rank, static_cast<std::int64_t>(i));
    }
    return;
  }
  const std::vector<std::byte>& given = given_[static_cast<std::size_t>(rank)];
  for (std::size_t at = 0; at < send.size(); at += given.size()) {
    std::memcpy(&send[at], given.data(), std::min(given.size(), send.size() - at));
  }
}

// `first`: number of the first element in the whole vector.
std::int64_t ReferenceData::wrong_reduced(std::int64_t first,
                                          std::span<const std::byte> received) const {
  const auto element = static_cast<std::size_t>(type_.bytes);
  std::int64_t wrong = 0;
  for (std::size_t at = 0; at < received.size(); at += element) {
    const auto index = (first + static_cast<std::int64_t>(at / element)) % kPeriod;
    const std::size_t expected = static_cast<std::size_t>(index) * element;
    if (std::memcmp(&received[at], &expected_[expected], element) == 0) continue;
    const double value = load_element(type_, &received[at]);
    wrong += agrees(expected_values_[static_cast<std::size_t>(index)], value) ? 0 : 1;
  }
  return wrong;
}

std::int64_t ReferenceData::wrong_moved(int from, std::int64_t first_byte,
                                        std::span<const std::byte> received) const {
  const auto element = static_cast<std::size_t>(type_.bytes);
  std::int64_t wrong = 0;
  for (std::size_t at = 0; at < received.size(); at += element) {
    bool good = true;
    for (std::size_t i = at; i < at + element; ++i) {
      good = good && received[i] == moved_byte(from, first_byte + static_cast<std::int64_t>(i));
    }
    wrong += good ? 0 : 1;
  }
  return wrong;
}

std::int64_t ReferenceData::wrong(int rank, std::span<const std::byte> received) const {
  if (received.empty()) return 0;
  const std::int64_t share = spec_.count * type_.bytes;
  std::int64_t wrong = 0;
  switch (spec_.kind) {
    case CollectiveKind::AllReduce:
    case CollectiveKind::Reduce:
      return wrong_reduced(0, received);
    case CollectiveKind::ReduceScatter:
      return wrong_reduced(spec_.count * rank, received);
    case CollectiveKind::Broadcast:
      return wrong_moved(spec_.root, 0, received);
    case CollectiveKind::Scatter:
      return wrong_moved(spec_.root, share * rank, received);
    case CollectiveKind::SendRecv:
      return wrong_moved((rank + spec_.ranks - 1) % spec_.ranks, 0, received);
    case CollectiveKind::AllGather:
    case CollectiveKind::Gather:
    case CollectiveKind::AllToAll:
      for (int from = 0; from < spec_.ranks; ++from) {
        const bool blocks = spec_.kind == CollectiveKind::AllToAll;
        wrong += wrong_moved(from, blocks ? share * rank : 0,
                             received.subspan(static_cast<std::size_t>(share * from),
                                              static_cast<std::size_t>(share)));
      }
      return wrong;
  }
  RINGSPAN_CHECK(false, "unknown collective kind");
}

}  // namespace ringspan
