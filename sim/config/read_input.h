#pragma once

#include <filesystem>
#include <string>

namespace ringspan {

// The text of a file of at most 64 MiB. Throws InputError that names the file.
std::string read_input_file(const std::filesystem::path& path);

// The same of standard input.
std::string read_standard_input();

}  // namespace ringspan
