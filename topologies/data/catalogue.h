#pragma once

// The files compiled into the library. Parsing them is topologies/builders' work.

#include <span>

#include "sim/base/embedded_file.h"

namespace ringspan {

std::span<const EmbeddedFile> catalogue_systems();  // *.toml of topologies/data/systems
std::span<const EmbeddedFile> catalogue_links();    // links.toml
std::span<const EmbeddedFile> catalogue_gpus();     // gpus.toml

}  // namespace ringspan
