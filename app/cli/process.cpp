#include "app/cli/process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

constexpr const char* kHint =
    "install Graphviz (Debian: apt-get install graphviz), or use --dot and draw it elsewhere";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Files instead of pipes: neither side can wait for the other.
File temporary_file() {
  File file(std::tmpfile(), &std::fclose);
  if (!file) {
    throw InputError(std::string("cannot make a temporary file: ") + std::strerror(errno),
                     "free some space in the folder for temporary files");
  }
  return file;
}

// Starts `dot -Tsvg` from `input` to `output` and waits; the exit status, or -1 when it is missing.
int run_dot(std::FILE* input, std::FILE* output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(output), STDOUT_FILENO);
  std::string program = "dot", format = "-Tsvg";
  std::array<char*, 3> arguments = {program.data(), format.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "dot", &actions, nullptr, arguments.data(), ::environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string read_from_start(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 65536> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), count);
  }
  return text;
}

}  // namespace

std::string draw_svg(std::string_view dot_text) {
  const File input = temporary_file();
  const File output = temporary_file();
  const bool written =
      std::fwrite(dot_text.data(), 1, dot_text.size(), input.get()) == dot_text.size();
  if (!written || std::fflush(input.get()) != 0) {
    throw InputError("cannot write a temporary file", "free some space");
  }
  std::rewind(input.get());
  const int status = run_dot(input.get(), output.get());
  // 127: a shell's and posix_spawn's way to say that there is no such program.
  if (status == -1 || status == 127) throw InputError("the program 'dot' is missing", kHint);
  if (status != 0) {
    throw InputError("the program 'dot' failed with status " + std::to_string(status), kHint);
  }
  return read_from_start(output.get());
}

}  // namespace ringspan
