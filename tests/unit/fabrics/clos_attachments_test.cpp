// Leaves that routes treat alike, and the ends of routes without their middle.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/fabrics/clos_fixture.h"
#include "tests/unit/fabrics/written_fabric.h"

namespace ringspan {
namespace {

using testing::clos;
using testing::ClosCase;

std::string fault(const std::string& keys) { return "[[fault]]\n" + keys; }

const char* const kRoutings[] = {"ecmp", "static", "spray", "adaptive"};

// One, two and three tiers, several planes, pods of two sizes; whole, and with dead and degraded
// switches and cables on every level.
std::vector<ClosCase> shapes(const std::string& routing) {
  const std::string by = "routing = \"" + routing + "\"\n";
  const std::string two = by + "servers_per_leaf = 2\nspines = 4\n";
  const std::string three = by + "tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 6\n";
  const std::string cable = fault("from = \"leaf0\"\nto = \"spine1\"\ncables = 1\n");
  const std::string slow = fault("switch = \"spine0\"\nrate = 0.5\n");
  const std::string uplink = fault("from = \"spine1\"\nto = \"core1\"\n");
  std::vector<ClosCase> cases = {{.kind = "single-switch", .servers = 5, .nics = 2, .keys = by}};
  for (const std::string& faults :
       {std::string(), cable, slow, cable + slow, fault("switch = \"leaf1\"\nrate = 0.25\n"),
        fault("switch = \"spine2\"\n") + fault("from = \"leaf2\"\nto = \"spine0\"\n")}) {
    for (const char* planes : {"", "planes = 2\n"}) {
      // Names of faults are those of plane 0 where there are planes.
      std::string named = faults;
      if (*planes != '\0') {
        for (const char* name : {"\"leaf", "\"spine", "\"core"}) {
          for (std::size_t at = 0; (at = named.find(name, at)) != std::string::npos; at += 8) {
            named.insert(at + 1, "plane0.");
          }
        }
      }
      cases.push_back({.servers = 9, .nics = 2, .keys = two + planes + named});
      cases.push_back(
          {.kind = "rail-optimized", .servers = 9, .nics = 2, .keys = two + planes + named});
      cases.push_back({.kind = "fat-tree",
                       .servers = 15,
                       .nics = 2,
                       .keys = three + "spines = 4\ncores = 4\n" + planes + named});
    }
  }
  cases.push_back({.kind = "fat-tree",
                   .servers = 14,
                   .nics = 2,
                   .keys = three + "spines = 2\ncores = 2\n" + uplink});
  cases.push_back({.kind = "rail-only", .servers = 6, .nics = 3, .keys = by + "tiers = 2\n"});
  return cases;
}

struct Way {
  bool joined = false;
  std::vector<FabricUse> uses;  // without the ports' own cables
  Duration latency{};
};

class Leaves {
 public:
  explicit Leaves(const Fabric& fabric) : fabric_(fabric), classes_(fabric.attachment_classes()) {
    for (std::uint32_t port = 0; port < fabric.ports().size(); ++port) {
      port_at_.emplace(fabric.attachment(port), port);
    }
  }

  Way between(std::uint32_t a, std::uint32_t b) const {
    Way way;
    way.joined = fabric_.joins(port_at_.at(a), port_at_.at(b));
    if (!way.joined) return way;
    FabricRoute route;
    fabric_.even_route({port_at_.at(a), port_at_.at(b), 0}, route);
    way.latency = route.latency;
    for (const FabricUse& use : route.uses) {
      if (use.stage != 0 && use.stage != route.uses.back().stage) way.uses.push_back(use);
    }
    return way;
  }

  // What AttachmentClasses promises of (c, d), made of the way from a to b.
  Way moved(Way way, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const {
    const std::uint32_t last = way.uses.empty() ? 0 : way.uses.back().stage;
    for (FabricUse& use : way.uses) {
      if (use.stage == 1) {
        use.link += classes_.first_up[c] - classes_.first_up[a];
      } else if (use.stage == last) {
        use.link += classes_.first_down[d] - classes_.first_down[b];
      }
    }
    return way;
  }

  const AttachmentClasses& classes() const { return classes_; }
  const std::map<std::uint32_t, std::uint32_t>& port_at() const { return port_at_; }

 private:
  const Fabric& fabric_;
  AttachmentClasses classes_;
  std::map<std::uint32_t, std::uint32_t> port_at_;
};

void expect_same(const Way& found, const Way& expected, const std::string& what) {
  ASSERT_EQ(found.joined, expected.joined) << what;
  ASSERT_EQ(found.latency, expected.latency) << what;
  ASSERT_EQ(found.uses.size(), expected.uses.size()) << what;
  for (std::size_t i = 0; i < found.uses.size(); ++i) {
    EXPECT_EQ(found.uses[i].link, expected.uses[i].link) << what;
    EXPECT_EQ(found.uses[i].stage, expected.uses[i].stage) << what;
    EXPECT_EQ(found.uses[i].share, expected.uses[i].share) << what;
  }
}

void expect_alike_ways(const Fabric& fabric) {
  const Leaves leaves(fabric);
  struct Known {
    std::uint32_t a = 0, b = 0;
    Way way;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Known> known;
  for (const auto& [a, port] : leaves.port_at()) {
    for (const auto& [b, other] : leaves.port_at()) {
      if (a == b) continue;
      const Way way = leaves.between(a, b);
      const auto [first, added] = known.emplace(
          std::pair{leaves.classes().of[a], leaves.classes().of[b]}, Known{a, b, way});
      const Known& like = first->second;
      expect_same(leaves.moved(like.way, like.a, like.b, a, b), way,
                  std::to_string(a) + " to " + std::to_string(b));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(ClosAttachments, OfOneClassHaveTheSameRoutes) {
  for (const char* routing : kRoutings) {
    for (const ClosCase& written : shapes(routing)) {
      SCOPED_TRACE(written.kind + "\n" + written.keys);
      expect_alike_ways(*clos(written));
      if (HasFailure()) return;
    }
  }
}

// Three pods of three leaves. A leaf that lost a cable is like no other; a spine's cables are the
// same ones for all leaves of its pod.
TEST(ClosAttachments, AreOneClassAPodAndOneForEveryBrokenLeaf) {
  const std::string keys =
      "tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 6\nspines = 2\ncores = 2\n";
  const auto classes = [&](const std::string& faults) {
    return clos({.kind = "fat-tree", .servers = 18, .keys = keys + faults})->attachment_classes();
  };
  EXPECT_EQ(classes("").of, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(classes(fault("from = \"leaf1\"\nto = \"spine0\"\ncables = 1\n")).of,
            (std::vector<std::uint32_t>{0, 1, 0, 2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(classes(fault("from = \"spine0\"\nto = \"core0\"\n")).count, 3U);
  EXPECT_EQ(classes(fault("switch = \"spine0\"\n")).count, 3U);
}

TEST(Attachments, AreClassesOfTheirOwnUnlessTheFabricKnowsBetter) {
  const auto torus = testing::written_fabric(
      "[fabric]\nkind = \"torus\"\nlink = \"ib-ndr\"\ndimensions = [3, 2]\n", 6);
  EXPECT_EQ(torus->attachment_classes().of, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
}

void expect_ends_of_route(const Fabric& fabric, const FlowKey& flow) {
  FabricRoute whole, ends;
  fabric.even_route(flow, whole);
  fabric.even_ends(flow, ends);
  EXPECT_EQ(ends.latency, whole.latency);
  EXPECT_EQ(ends.switches, whole.switches);
  const std::uint32_t last = whole.uses.back().stage;
  std::erase_if(whole.uses,
                [&](const FabricUse& use) { return use.stage != 0 && use.stage != last; });
  ASSERT_EQ(ends.uses.size(), whole.uses.size());
  for (std::size_t i = 0; i < ends.uses.size(); ++i) {
    EXPECT_EQ(ends.uses[i].link, whole.uses[i].link);
    EXPECT_EQ(ends.uses[i].stage, whole.uses[i].stage);
    EXPECT_EQ(ends.uses[i].share, whole.uses[i].share);
  }
}

TEST(EvenEnds, AreTheFirstAndTheLastStageOfTheEvenRoute) {
  for (const char* routing : kRoutings) {
    for (const ClosCase& written : shapes(routing)) {
      SCOPED_TRACE(written.kind + "\n" + written.keys);
      const auto fabric = clos(written);
      const auto ports = static_cast<std::uint32_t>(fabric->ports().size());
      for (std::uint32_t from = 0; from < ports; ++from) {
        for (std::uint32_t to = 0; to < ports; ++to) {
          if (from != to && fabric->joins(from, to)) expect_ends_of_route(*fabric, {from, to, 0});
        }
      }
      if (HasFailure()) return;
    }
  }
  const auto torus = testing::written_fabric(
      "[fabric]\nkind = \"torus\"\nlink = \"ib-ndr\"\ndimensions = [3, 2]\n", 6);
  expect_ends_of_route(*torus, {0, 5, 0});
}

}  // namespace
}  // namespace ringspan
