#pragma once

// Reads systems from text, with the built-in presets and catalogue.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topologies/builders/system.h"

namespace ringspan {

LinkPresets builtin_presets();
std::optional<SystemText> find_in_catalogue(std::string_view name);

// `overrides` are applied as --set does.
System read_text(std::string_view text,
                 const std::vector<std::pair<std::string, std::string>>& overrides = {});
System read_catalogue(std::string_view name);

// What a user sees when `text` is refused; empty when it is not.
std::string refusal(std::string_view text,
                    const std::vector<std::pair<std::string, std::string>>& overrides = {});

NodeId device_named(const Topology& topology, std::string_view name);

// The links from `from` to any of `to`, added up, per direction.
Bandwidth nominal_between(const Topology& topology, std::string_view from, DeviceKind to);

// Two GPUs under one switch; `more` is appended.
std::string two_gpus(std::string_view more = {});

}  // namespace ringspan
