# shellcheck shell=bash
# Shared by try.sh and test.sh; not a command. Says what it does on standard output, refuses on
# standard error with exit 2 (the machine must change something).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Debian packages; each line of needs_* is "probe package". See docs/dependencies.md.
needs_build='
command:cmake     cmake
command:c++       g++
command:make      make
command:ninja     ninja-build
package           libfmt-dev
package           libboost-dev
package           libboost-program-options-dev
package           libtomlplusplus-dev
package           libnlopt-cxx-dev
package           libpugixml-dev
package           nlohmann-json3-dev'
needs_tests='
package           libgtest-dev
package           libgmock-dev
command:dot       graphviz'

say() { printf '%s\n' "== $*"; }
refuse() { printf '%s\n' "error: $1" "hint: $2" >&2; exit 2; }

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# missing_packages "$needs": the packages whose probe fails, one per line.
missing_packages() {
  local probe package
  while read -r probe package; do
    case $probe in
      '') ;;
      command:*) command -v "${probe#command:}" >/dev/null || printf '%s\n' "$package" ;;
      package) is_installed "$package" || printf '%s\n' "$package" ;;
    esac
  done <<<"$1"
}

# install_missing "$needs": installs through apt-get what is missing; touches nothing otherwise.
install_missing() {
  # `su` without a dash leaves out the folders that dpkg's own tools are in.
  PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "No apt-get here: CMake will say what is missing (docs/dependencies.md lists it)"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$1")
  if [ ${#missing[@]} -eq 0 ]; then
    say "All packages are installed"
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || refuse "packages are missing, and this is not root and has no sudo" \
      "as root: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  say "Installing with ${as_root[*]:+sudo }apt-get: ${missing[*]}"
  say "(and what they need; the first time this takes a minute or two)"
  run_apt update || refuse "apt-get update failed (see above)" \
    "check the network and /etc/apt/sources.list"
  run_apt install -y --no-install-recommends "${missing[@]}" || refuse \
    "apt-get install failed (see above)" "as root: apt-get install --no-install-recommends ${missing[*]}"
}

# Quiet when it works, everything it said when it does not. Uses as_root of install_missing.
run_apt() {
  local log status=0
  log=$(mktemp)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any "$@" \
    </dev/null >"$log" 2>&1 || status=$?
  [ $status -eq 0 ] || tail -n 40 "$log" >&2
  rm -f "$log"
  return $status
}

check_cmake() {
  local version
  command -v cmake >/dev/null || refuse "cmake is missing" "install CMake 3.25 or newer"
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" = 3.25 ] || refuse \
    "CMake $version is too old" "CMake 3.25 or newer is needed (Debian 12 has it)"
}

# As many compilers as cores, but a GiB of free memory for each: the heaviest file needs that much.
build_jobs() {
  local cores free_gib
  cores=$(nproc)
  free_gib=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null) || true
  [ -n "$free_gib" ] || free_gib=1
  [ "$free_gib" -ge 1 ] || free_gib=1
  echo $((cores < free_gib ? cores : free_gib))
}

# build PRESET [target...]: configures (a second or two) and builds what changed.
build() {
  local preset=$1 jobs log
  shift
  jobs=$(build_jobs)
  log=$(mktemp)
  check_cmake
  say "Building in build/$preset with $jobs jobs"
  (cd "$root" && cmake --preset "$preset" >"$log" 2>&1) || {
    cat "$log" >&2
    rm -f "$log"
    refuse "cmake could not configure the build (see above)" \
      "install what it names, or remove build/$preset and try again"
  }
  rm -f "$log"
  (cd "$root" && cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}) ||
    refuse "the build failed (see above)" "please report it, with the lines above"
}
