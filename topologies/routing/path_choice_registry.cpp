// Every routing, by name.

#include "topologies/routing/path_choice.h"

namespace ringspan {

Registry<PathChoiceFactory> builtin_path_choices() {
  Registry<PathChoiceFactory> choices("routing");
  return choices;
}

}  // namespace ringspan
