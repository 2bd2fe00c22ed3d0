#include "validation/replay/reference_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "models/collectives/datatype.h"
#include "sim/base/input_error.h"
#include "validation/replay/buffer_layout.h"

namespace ringspan {
namespace {

using Buffers = std::vector<std::vector<std::byte>>;

Buffers inputs(const ReferenceSpec& spec, std::int64_t share) {
  const ReferenceData data(spec);
  Buffers all;
  for (int rank = 0; rank < spec.ranks; ++rank) {
    const BufferLayout layout = buffer_layout(spec.kind, spec.ranks, rank, spec.root, share);
    all.emplace_back(static_cast<std::size_t>(layout.send));
    data.fill(rank, all.back());
  }
  return all;
}

std::vector<std::byte> part(const std::vector<std::byte>& from, std::int64_t at,
                            std::int64_t size) {
  return {from.begin() + at, from.begin() + at + size};
}

// Element by element in the type's own arithmetic, rank after rank: another way than the
// reference's.
std::vector<std::byte> reduce(const ReferenceSpec& spec, const Buffers& given) {
  const ElementType type = element_type(spec.dtype);
  std::vector<std::byte> result = given.front();
  for (std::size_t at = 0; at < result.size(); at += static_cast<std::size_t>(type.bytes)) {
    for (int rank = 1; rank < spec.ranks; ++rank) {
      const double a = load_element(type, &result[at]);
      const double b = load_element(type, &given[static_cast<std::size_t>(rank)][at]);
      double value = a + b;
      if (spec.op == "prod") value = a * b;
      if (spec.op == "min") value = std::min(a, b);
      if (spec.op == "max") value = std::max(a, b);
      store_element(type, value, &result[at]);
    }
    if (spec.op == "avg")
      store_element(type, load_element(type, &result[at]) / spec.ranks, &result[at]);
  }
  return result;
}

// What a right implementation leaves at a rank.
std::vector<std::byte> right_result(const ReferenceSpec& spec, const Buffers& given, int rank,
                                    std::int64_t share) {
  const auto& root = given[static_cast<std::size_t>(spec.root)];
  std::vector<std::byte> result;
  const auto append = [&](const std::vector<std::byte>& bytes) {
    result.insert(result.end(), bytes.begin(), bytes.end());
  };
  switch (spec.kind) {
    case CollectiveKind::AllReduce:
      return reduce(spec, given);
    case CollectiveKind::Reduce:
      return rank == spec.root ? reduce(spec, given) : result;
    case CollectiveKind::ReduceScatter:
      return part(reduce(spec, given), share * rank, share);
    case CollectiveKind::Broadcast:
      return root;
    case CollectiveKind::Scatter:
      return part(root, share * rank, share);
    case CollectiveKind::SendRecv:
      return given[static_cast<std::size_t>((rank + spec.ranks - 1) % spec.ranks)];
    case CollectiveKind::Gather:
      if (rank != spec.root) return result;
      [[fallthrough]];
    case CollectiveKind::AllGather:
      for (const auto& bytes : given) append(bytes);
      return result;
    case CollectiveKind::AllToAll:
      for (const auto& bytes : given) append(part(bytes, share * rank, share));
      return result;
  }
  return result;
}

struct Case {
  CollectiveKind kind;
  int ranks;
};

class ReferenceDataTest : public testing::TestWithParam<Case> {};

TEST_P(ReferenceDataTest, ARightResultIsRightAndAWrongByteIsFound) {
  const auto [kind, ranks] = GetParam();
  for (const std::string& dtype : dtype_names()) {
    for (const std::string& op : reduction_names()) {
      if (!collective_reduces(kind) && op != "sum") continue;
      // 250 elements: more than the period.
      const ReferenceSpec spec{kind, dtype, op, ranks, ranks - 1, 250};
      const std::int64_t share = spec.count * dtype_size(dtype);
      const ReferenceData data(spec);
      const Buffers given = inputs(spec, share);
      for (int rank = 0; rank < ranks; ++rank) {
        std::vector<std::byte> result = right_result(spec, given, rank, share);
        EXPECT_EQ(data.wrong(rank, result), 0) << dtype << " " << op << " rank " << rank;
        const BufferLayout layout = buffer_layout(kind, ranks, rank, spec.root, share);
        ASSERT_EQ(static_cast<std::int64_t>(result.size()), layout.receive);
        if (result.empty()) continue;
        result.back() ^= std::byte{0x40};
        EXPECT_EQ(data.wrong(rank, result), 1) << dtype << " " << op << " rank " << rank;
      }
    }
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const CollectiveKind kind : kAllCollectives) {
    for (const int ranks : {1, 2, 3, 8, 17}) cases.push_back({kind, ranks});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllCollectives, ReferenceDataTest, testing::ValuesIn(all_cases()),
                         [](const auto& a) {
                           return std::string(collective_name(a.param.kind)) + "_" +
                                  std::to_string(a.param.ranks);
                         });

// The classic mistakes: a block from the wrong rank, and a rank's share left out of a sum.
TEST(ReferenceData, BlocksOfOtherRanksAreWrong) {
  const ReferenceSpec spec{CollectiveKind::AllGather, "float", "sum", 4, 0, 64};
  const ReferenceData data(spec);
  std::vector<std::byte> result;
  for (const int rank : {0, 2, 1, 3}) {
    std::vector<std::byte> block(256);
    data.fill(rank, block);
    result.insert(result.end(), block.begin(), block.end());
  }
  EXPECT_EQ(data.wrong(0, result), 128);
}

TEST(ReferenceData, AnUnknownReductionIsRefused) {
  EXPECT_THROW(ReferenceData({CollectiveKind::AllReduce, "float", "median", 2, 0, 8}), InputError);
}

}  // namespace
}  // namespace ringspan
