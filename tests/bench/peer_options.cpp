#include "tests/bench/peer_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include "sim/base/input_error.h"

namespace ringspan::bench {
namespace {

template <typename Number>
Number number(const std::string& option, const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
    throw InputError("--" + option + "=" + text + " is not a number", "for example --hosts=64");
  }
  return value;
}

double positive(const std::string& option, const std::string& text) {
  const auto value = number<double>(option, text);
  if (!(value > 0) || !std::isfinite(value)) {
    throw InputError("--" + option + " must be positive", {});
  }
  return value;
}

std::string one_of(const std::string& option, const std::string& text,
                   const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), text) == names.end()) {
    throw InputError("unknown --" + option + "=" + text, name_hint(text, names));
  }
  return text;
}

SlowLink slow_link(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    throw InputError("--slow-link=" + text + " has no factor", "for example --slow-link=3:0.5");
  }
  return {number<std::uint32_t>("slow-link", text.substr(0, colon)),
          positive("slow-link", text.substr(colon + 1))};
}

using Setter = std::function<void(PeerOptions&, const std::string&)>;

std::map<std::string, Setter> setters() {
  using Text = const std::string&;
  return {
      {"topo",
       [](PeerOptions& o, Text v) {
         o.topo = one_of("topo", v, {"star", "fattree"});
       }},
      {"coll",
       [](PeerOptions& o, Text v) {
         o.coll =
             one_of("coll", v,
                    {"ring-allreduce", "alltoall-pairwise", "alltoall-burst", "alltoallv-burst"});
       }},
      {"network",
       [](PeerOptions& o, Text v) {
         o.network = one_of("network", v, {"fluid", "queueing"});
       }},
      {"routes",
       [](PeerOptions& o, Text v) {
         o.routes = one_of("routes", v, {"modulo", "hash"});
       }},
      {"hosts", [](PeerOptions& o, Text v) { o.hosts = number<std::uint32_t>("hosts", v); }},
      {"hosts-per-leaf",
       [](PeerOptions& o, Text v) {
         o.hosts_per_leaf = number<std::uint32_t>("hosts-per-leaf", v);
       }},
      {"spines", [](PeerOptions& o, Text v) { o.spines = number<std::uint32_t>("spines", v); }},
      {"size", [](PeerOptions& o, Text v) { o.size = number<std::int64_t>("size", v); }},
      {"sizes", [](PeerOptions& o, Text v) { o.sizes = number<std::uint32_t>("sizes", v); }},
      {"seed", [](PeerOptions& o, Text v) { o.seed = number<std::uint64_t>("seed", v); }},
      {"bw", [](PeerOptions& o, Text v) { o.bandwidth = positive("bw", v); }},
      {"lat", [](PeerOptions& o, Text v) { o.latency = number<double>("lat", v); }},
      {"segment", [](PeerOptions& o, Text v) { o.segment = number<std::int64_t>("segment", v); }},
      {"credits", [](PeerOptions& o, Text v) { o.credits = number<std::uint32_t>("credits", v); }},
      {"slow-link", [](PeerOptions& o, Text v) { o.slow_link = slow_link(v); }},
  };
}

void require(bool condition, const char* message) {
  if (!condition) {
    throw InputError(message, {});
  }
}

void check(const PeerOptions& o) {
  require(o.hosts >= 2 && o.hosts <= 65'536, "--hosts must be from 2 to 65536");
  require(o.hosts_per_leaf >= 1 && o.spines >= 1 && o.spines <= 4'096,
          "--hosts-per-leaf and --spines must be at least 1, and --spines at most 4096");
  require(o.topo != "fattree" || o.hosts % o.hosts_per_leaf == 0,
          "--hosts must be a multiple of --hosts-per-leaf");
  require(o.topo == "fattree" || o.routes == "modulo",
          "--routes=hash needs --topo=fattree: a star has one route");
  require(o.size >= o.hosts && o.size <= (std::int64_t{1} << 50),
          "--size must be from 1 byte per host to 2^50");
  require(o.coll == "alltoallv-burst" || o.sizes == 1, "--sizes needs --coll=alltoallv-burst");
  require(o.sizes >= 1 && o.sizes <= 1'000'000, "--sizes must be from 1 to 1000000");
  require(o.bandwidth >= 1 && o.bandwidth <= 1e15, "--bw must be from 1 to 1e15 bytes per second");
  require(o.latency >= 0 && o.latency <= 1, "--lat must be from 0 to 1 second");
  require(o.network == "queueing" || (!o.segment && !o.credits),
          "--segment and --credits need --network=queueing");
  require(!o.segment || *o.segment >= 1, "--segment must be at least 1 byte");
  require(!o.slow_link || o.slow_link->host < o.hosts,
          "--slow-link names a host that is not there");
  require(!o.slow_link || o.slow_link->factor * o.bandwidth >= 1,
          "--slow-link leaves less than a byte per second");
}

}  // namespace

PeerOptions parse_peer_options(const std::vector<std::string>& arguments) {
  const std::map<std::string, Setter> known = setters();
  PeerOptions options;
  for (const std::string& argument : arguments) {
    const auto equals = argument.find('=');
    if (argument.rfind("--", 0) != 0 || equals == std::string::npos) {
      throw InputError("expected --name=value, got " + argument, {});
    }
    const std::string name = argument.substr(2, equals - 2);
    const auto setter = known.find(name);
    if (setter == known.end()) {
      std::vector<std::string> names;
      for (const auto& entry : known) {
        names.push_back("--" + entry.first);
      }
      throw InputError("unknown option --" + name, name_hint("--" + name, names));
    }
    setter->second(options, argument.substr(equals + 1));
  }
  check(options);
  return options;
}

}  // namespace ringspan::bench
