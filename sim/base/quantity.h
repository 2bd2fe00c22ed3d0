#pragma once

// Quantities as text. Reading: a number, an optional blank, a unit. Writing: short and exact enough
// for people (never used for results in CSV or JSON, which carry fixed units in their names).
//
//   rates      b/s bit/s bps  B/s  with k K M G T (decimal) and Ki Mi Gi Ti (binary);
//              Gb/s = Gbit/s = Gbps; GB/s = 10^9 bytes/s; GiB/s = 2^30. Per direction, unless
//              " bidir" follows: then the value is the sum of both directions and is halved.
//              "GT/s" has no meaning by itself: parse_transfers() reads it where a link kind does.
//   durations  ps ns us ms s
//   sizes      nccl-tests' rule: bare bytes; K M G T and KiB MiB GiB TiB binary; KB MB GB TB
//   decimal
//
// Errors are InputErrors without position (message + hint: the unit to append, the nearest unit);
// readers of files add the position. Refused: no unit, unknown unit, negative, nan, inf, overflow,
// more digits than the type can hold exactly where that matters, trailing text.

#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace ringspan {

struct ParsedBandwidth {
  Bandwidth per_direction;
  bool bidirectional = false;  // "bidir" was written: per_direction is half of what was written
};

ParsedBandwidth parse_bandwidth(std::string_view text);
Duration parse_duration(std::string_view text);

struct ParsedSize {
  Bytes size;
  bool decimal_prefix = false;  // KB, MB, GB, TB: worth a note, since K, M, G are binary
};
ParsedSize parse_size(std::string_view text);

// "32 GT/s" -> 32e9 transfers (bits per lane) per second and direction.
std::int64_t parse_transfers(std::string_view text);

std::string format_bandwidth(Bandwidth rate);    // "450 GB/s", "12.5 GB/s", "900 MB/s"
std::string format_duration(Duration duration);  // "1.2 us", "450 ns"
std::string format_size(Bytes size);             // "8 B", "64 KiB", "1 GiB", "1.5 GiB"

}  // namespace ringspan
