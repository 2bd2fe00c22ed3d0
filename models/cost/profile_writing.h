#pragma once

// A profile as the text of its file: read_profile() reads the same values back.

#include <map>
#include <string>

#include "models/cost/profile.h"

namespace ringspan {

// Comments behind constants, by their place in the file: "launch.call", "algorithm.ring.base.ll".
using ProfileComments = std::map<std::string, std::string>;

std::string write_profile(const Profile& profile, const ProfileComments& comments = {});

}  // namespace ringspan
