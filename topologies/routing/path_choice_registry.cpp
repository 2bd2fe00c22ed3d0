// Every routing, by name.

#include "topologies/routing/adaptive.h"
#include "topologies/routing/destination_modulo.h"
#include "topologies/routing/dimension_order.h"
#include "topologies/routing/ecmp.h"
#include "topologies/routing/minimal.h"
#include "topologies/routing/path_choice.h"
#include "topologies/routing/spray.h"
#include "topologies/routing/valiant.h"

namespace ringspan {

Registry<PathChoiceFactory> builtin_path_choices() {
  Registry<PathChoiceFactory> choices("routing");
  choices.add("ecmp", "a flow takes one way, by a hash of its own at every switch", make_ecmp);
  choices.add("static", "a destination has one way, by its number modulo the ways",
              make_destination_modulo);
  choices.add("spray", "packets go over all ways in turn", make_spray);
  choices.add("adaptive", "packets go where there is room", make_adaptive);
  choices.add("dimension-order", "one dimension of a torus after the other", make_dimension_order);
  choices.add("minimal", "one of the shortest ways, by hash", make_minimal);
  choices.add("valiant", "by way of a place drawn by hash, minimal before and after", make_valiant);
  return choices;
}

}  // namespace ringspan
