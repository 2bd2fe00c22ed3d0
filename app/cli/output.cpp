#include "app/cli/output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  throw InputError(what + ": " + std::strerror(error),
                   full ? "free some space, or write to another disk"
                        : "give a file in a folder that you may write to");
}

void write_all(int descriptor, std::string_view text, const std::string& what) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw OutputClosed{};
    if (written < 0) fail(what, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// While a temporary file exists, Ctrl-C waits: none is left behind.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

// Removed unless keep() was called.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) {
    for (int attempt = 0;; ++attempt) {
      path_ = target + ".part" + std::to_string(::getpid()) + "." + std::to_string(attempt);
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ >= 0) return;
      if (errno != EEXIST || attempt == 99) fail("cannot write '" + target + "'", errno);
    }
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!kept_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }

  void replace(const std::string& target) {
    const std::string what = "cannot write '" + target + "'";
    // A disk may notice only now that it is full.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(what, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(what, errno);
    if (::rename(path_.c_str(), target.c_str()) != 0) fail(what, errno);
    kept_ = true;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// Owner and mode of the file that is replaced; what we may not set stays ours.
void keep_attributes(int descriptor, const struct stat& old) {
  if (::fchown(descriptor, old.st_uid, old.st_gid) != 0) errno = 0;
  if (::fchmod(descriptor, old.st_mode & 07777) != 0) errno = 0;
}

// A device, a pipe: nothing to replace, written in place.
void write_special(const std::string& path, const Output::Producer& produce) {
  const std::string what = "cannot write '" + path + "'";
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(what, errno);
  try {
    produce([&](std::string_view piece) { write_all(descriptor, piece, what); });
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) fail(what, errno);
}

}  // namespace

Output::Output(std::string path) : path_(path == "-" ? std::string{} : std::move(path)) {
  if (path_.empty()) return;
  const std::string what = "cannot write '" + path_ + "'";
  std::error_code error;
  const std::filesystem::path resolved =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path_), error);
  if (error) fail(what, error.value());
  path_ = resolved.string();
  const std::optional<struct stat> status = status_of(path_);
  if (status && S_ISDIR(status->st_mode)) fail(what, EISDIR);
  if (status && ::access(path_.c_str(), W_OK) != 0) fail(what, errno);
  if (status && !S_ISREG(status->st_mode)) return;
  const std::string folder = resolved.parent_path().string();
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail(what, errno);
}

void Output::write(std::string_view text) const {
  write_pieces([text](const Sink& sink) { sink(text); });
}

void Output::write_pieces(const Producer& produce) const {
  if (path_.empty()) {
    produce([](std::string_view piece) {
      write_all(STDOUT_FILENO, piece, "cannot write the results to standard output");
    });
    return;
  }
  const std::optional<struct stat> status = status_of(path_);
  if (status && !S_ISREG(status->st_mode)) {
    write_special(path_, produce);
    return;
  }
  const SignalsHeld held;
  TemporaryFile file(path_);
  produce([&](std::string_view piece) {
    write_all(file.descriptor(), piece, "cannot write '" + path_ + "'");
  });
  if (status) keep_attributes(file.descriptor(), *status);
  file.replace(path_);
}

void write_message(std::string_view text) {
  try {
    write_all(STDERR_FILENO, std::string(text) + '\n', "");
  } catch (...) {
    // Nobody is left to tell.
  }
}

}  // namespace ringspan
