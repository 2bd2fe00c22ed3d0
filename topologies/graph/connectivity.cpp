#include "topologies/graph/connectivity.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/property_map/property_map.hpp>

namespace ringspan {

std::vector<std::int32_t> connected_components(std::size_t device_count,
                                               std::span<const Link> links) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  Graph graph(device_count);
  for (const Link& link : links) {
    // One undirected edge stands for the two directions of a cable.
    if (link.from < link.to) boost::add_edge(link.from.index(), link.to.index(), graph);
  }
  std::vector<std::int32_t> component(device_count, 0);
  boost::connected_components(
      graph,
      boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  return component;
}

}  // namespace ringspan
