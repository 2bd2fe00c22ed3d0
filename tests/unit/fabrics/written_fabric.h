#pragma once

// Fabrics read from text, as a system file has them, for servers with a given number of NICs.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "topologies/fabrics/fabric.h"

namespace ringspan::testing {

// `text` holds [fabric] and what may follow: [[fault]] tables with switch, from, to, cables, rate.
// Every server is a domain of its own. All keys must have been read.
std::unique_ptr<const Fabric> written_fabric(const std::string& text, int servers, int nics = 1);

// The InputError of that; "" if there is none. Positions are those in `text`, as "f.toml:2:3".
std::string fabric_refusal(const std::string& text, int servers, int nics = 1);

// Names of the links a flow crosses, in order.
std::vector<std::string> way_of(const Fabric& fabric, const FlowKey& flow);

// Checks what holds for the route of any flow: bytes go up the source's cable and down the
// destination's, the shares of every stage sum to 1, stages count up, links exist.
void expect_sound_route(const Fabric& fabric, const FlowKey& flow);

// By link: the sum of shares when every port sends one unit to every other one.
std::vector<double> uniform_loads(const Fabric& fabric);

}  // namespace ringspan::testing
