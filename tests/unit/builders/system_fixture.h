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

// `overrides` are applied as --set does, `size` as --nodes and --gpus do.
System read_text(std::string_view text, const SystemOverrides& overrides = {},
                 const SystemSize& size = {});
System read_catalogue(std::string_view name);

// What a user sees when `text` is refused; empty when it is not.
std::string refusal(std::string_view text, const SystemOverrides& overrides = {},
                    const SystemSize& size = {});

NodeId device_named(const Topology& topology, std::string_view name);

// The links from `from` to any of `to`, added up, per direction.
Bandwidth nominal_between(const Topology& topology, std::string_view from, DeviceKind to);

// Two GPUs under one switch; `more` is appended.
std::string two_gpus(std::string_view more = {});

// Servers of two GPUs, gpu0 and gpu1, and two NICs, nic0 and nic1, under one switch, psw, with 8
// links of NVLink 4 between the GPUs; 26 lines. `more` is appended.
std::string two_gpu_servers(std::string_view more = {});
// A tray of two GPUs with a NIC each under one switch, in racks of `domain` (keys of [fabric]).
std::string two_gpu_trays(std::string_view domain);

}  // namespace ringspan
