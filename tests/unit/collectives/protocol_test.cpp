#include "models/collectives/protocol.h"

#include <gtest/gtest.h>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

TEST(Protocol, EveryNameReadsBack) {
  for (const Protocol protocol : kAllProtocols) {
    EXPECT_EQ(protocol_from_name(protocol_name(protocol)), protocol);
  }
  EXPECT_THROW(protocol_from_name("LL"), InputError);
}

TEST(Protocol, AnUnknownNameIsRefusedWithTheNearest) {
  try {
    protocol_from_name("simpl");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "error: unknown protocol 'simpl'\nhint: did you mean 'simple'?");
  }
}

TEST(Protocol, StepsHoldTheDataOfAnEighthOfTheBuffer) {
  // LL: 524,288 B of wire / 8 steps / 2. LL128: 4,915,200 / 8 x 15/16. Simple: 4 MiB / 8.
  EXPECT_EQ(protocol_geometry(Protocol::LL).step, Bytes{32'768});
  EXPECT_EQ(protocol_geometry(Protocol::LL128).step, Bytes{576'000});
  EXPECT_EQ(protocol_geometry(Protocol::Simple).step, Bytes{524'288});
}

TEST(Protocol, TheWireCarriesWholeLines) {
  EXPECT_EQ(wire_bytes(Protocol::LL, Bytes{0}), Bytes{0});
  // 8 B of data and 8 B of flags a line; 9 B need a second line.
  EXPECT_EQ(wire_bytes(Protocol::LL, Bytes{8}), Bytes{16});
  EXPECT_EQ(wire_bytes(Protocol::LL, Bytes{9}), Bytes{32});
  EXPECT_EQ(wire_bytes(Protocol::LL128, Bytes{1}), Bytes{128});
  EXPECT_EQ(wire_bytes(Protocol::LL128, Bytes{120}), Bytes{128});
  EXPECT_EQ(wire_bytes(Protocol::LL128, Bytes{121}), Bytes{256});
  EXPECT_EQ(wire_bytes(Protocol::Simple, Bytes{12'345}), Bytes{12'345});
  // A whole step fills an eighth of the buffer.
  EXPECT_EQ(wire_bytes(Protocol::LL128, Bytes{576'000}), Bytes{614'400});
}

TEST(Protocol, OnlyScatteringRingsWithSimpleUseLongChunks) {
  for (const CollectiveKind kind : kAllCollectives) {
    const bool scatters = kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
                          kind == CollectiveKind::ReduceScatter;
    const ChunkShape simple = chunk_shape("ring", kind, Protocol::Simple);
    EXPECT_EQ(simple.steps_per_chunk, scatters ? 4 : 1);
    EXPECT_EQ(simple.steps_per_slice, scatters ? 2 : 1);
    EXPECT_EQ(chunk_shape("ring", kind, Protocol::LL).steps_per_chunk, 1);
    EXPECT_EQ(chunk_shape("ring", kind, Protocol::LL128).steps_per_slice, 1);
    EXPECT_EQ(chunk_shape("tree", kind, Protocol::Simple).steps_per_chunk, 1);
  }
}

}  // namespace
}  // namespace ringspan
