#include "topologies/builders/system_sections.h"

#include <array>
#include <string_view>

#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

// The outermost table that has the key; the key of all others counts as read.
const ConfigNode* deciding(const std::vector<ConfigNode>& roots, std::string_view key) {
  const ConfigNode* found = nullptr;
  for (const ConfigNode& root : roots) {
    if (!given(root, key)) continue;
    if (found != nullptr) root.skip(key);
    if (found == nullptr) found = &root;
  }
  return found;
}

std::vector<ConfigNode> deciding_list(const std::vector<ConfigNode>& roots, std::string_view key) {
  const ConfigNode* root = deciding(roots, key);
  return root == nullptr ? std::vector<ConfigNode>{} : root->children(key);
}

std::optional<ConfigNode> deciding_table(const std::vector<ConfigNode>& roots,
                                         std::string_view key) {
  const ConfigNode* root = deciding(roots, key);
  return root == nullptr ? std::nullopt : root->find_child(key);
}

// [[pod]]s and a count are two ways to say the same: the outermost file that says it decides.
void find_servers(const std::vector<ConfigNode>& roots, SystemSections& sections) {
  for (const ConfigNode& root : roots) {
    const std::optional<ConfigNode> node = root.find_child("node");
    const bool pods = given(root, "pod");
    const bool count = node && given(*node, "count");
    if (sections.counted || !sections.pods.empty()) {
      root.skip("pod");
      if (node) node->skip("count");
      continue;
    }
    if (pods && count) {
      node->fail("count", "the [[pod]]s say how many servers there are", "remove count");
    }
    if (count) sections.counted = node;
    if (pods) sections.pods = root.children("pod");
  }
}

}  // namespace

SystemSections find_sections(const UseChain& chain) {
  const std::vector<ConfigNode>& roots = chain.roots();
  SystemSections sections;
  sections.fabric = deciding_table(roots, "fabric");
  sections.transport = deciding_table(roots, "transport");
  sections.networks = deciding_list(roots, "network");
  sections.faults = deciding_list(roots, "fault");
  find_servers(roots, sections);
  return sections;
}

void skip_sections(const UseChain& chain) {
  constexpr std::array<std::string_view, 5> kSections = {"fabric", "transport", "network", "fault",
                                                         "pod"};
  for (const ConfigNode& root : chain.roots()) {
    for (const std::string_view section : kSections) root.skip(section);
    root.child("node").skip("count");
  }
}

}  // namespace ringspan
