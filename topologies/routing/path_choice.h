#pragma once

// Which of several equally short ways through a fabric a flow takes. A routing is a strategy that a
// fabric asks at every switch where ways fork; it knows no fabric. Each lives in a file pair of its
// own and is named in path_choice_registry.cpp.
//
// Sources: ECMP by hash: RFC 2992; destination-modulo: OpenSM's minhop and ftree tables spread
// destinations over up links; spraying: Dixit et al., INFOCOM 2013; adaptive: the fluid limit of
// per-packet adaptive routing; Valiant: Valiant, SIAM J. Comput. 11(2), 1982.

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/base/registry.h"

namespace ringspan {

// What names a flow to the switches. Two flows of one connection never differ. A fabric may hand
// the switches numbers of its own instead of its ports': `static` takes destinations modulo the
// ways, so they should count up within a switch (rail-optimised leaves hold every eighth port).
struct FlowKey {
  std::uint32_t source = 0;       // port of the fabric
  std::uint32_t destination = 0;  // port of the fabric
  std::uint32_t channel = 0;      // NCCL opens one connection per channel
};

class PathChoice {
 public:
  virtual ~PathChoice() = default;

  // How a fabric uses the ways between two switches.
  enum class Spread {
    One,     // a flow takes one way; the cables are told apart
    Even,    // equal parts over all ways: as slow as the slowest of them
    ByRate,  // parts by what each way can carry: what adaptive routing tends to
  };
  virtual Spread spread() const = 0;

  // Spread::One only: which of `ways` (1 or more) the flow takes at switch `at`, 0 <= result <
  // ways. Ways are numbered alike at alike switches (spine 0, 1, ...; its first cable, its second,
  // ...). The default fails: a flow that is spread takes no single way.
  virtual std::uint32_t pick(std::uint32_t at, const FlowKey& flow, std::uint32_t ways) const;
  // The same at a further fork on the way up: `before` is the product of the ways at the forks the
  // flow has passed. Who picks by destination alone must not pick by the same digit twice.
  virtual std::uint32_t pick_above(std::uint32_t at, const FlowKey& flow, std::uint32_t ways,
                                   std::uint32_t /*before*/) const {
    return pick(at, flow, ways);
  }
  // The same where what was picked is dead: which of the `others` that are alive, 1 or more. Only
  // flows whose way is dead move (resilient hashing). `before`: as above, the dead fork's ways
  // included.
  virtual std::uint32_t pick_instead(std::uint32_t at, const FlowKey& flow, std::uint32_t others,
                                     std::uint32_t before) const {
    return pick_above(at, flow, others, before);
  }
  // The same where the ways are parallel cables between two switches.
  virtual std::uint32_t pick_cable(std::uint32_t at, const FlowKey& flow,
                                   std::uint32_t cables) const {
    return pick(at, flow, cables);
  }

  // Two flows between the same two ports may take different ways.
  virtual bool tells_channels_apart() const { return false; }

  // Goes by way of a place drawn from the flow instead of straight (Valiant). `places` >= 1; the
  // fabric says what a place is (a group of a dragonfly, a switch of a torus).
  virtual bool detours() const { return false; }
  virtual std::uint32_t detour(const FlowKey& /*flow*/, std::uint32_t /*places*/) const {
    return 0;
  }
};

// `seed`: of the hash functions; each switch derives its own from it, so that tiers do not
// polarise.
using PathChoiceFactory = std::unique_ptr<const PathChoice> (*)(std::uint64_t seed);

// ecmp, static, spray, adaptive, dimension-order, minimal, valiant.
Registry<PathChoiceFactory> builtin_path_choices();

}  // namespace ringspan
