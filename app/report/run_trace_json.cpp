#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "app/report/number_text.h"
#include "app/report/run_trace.h"

namespace ringspan {

namespace {

// With quotes; bytes that are not UTF-8 are replaced.
std::string json_text(std::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string microseconds_at(Time time) { return exact_microseconds(time - kTimeZero); }

}  // namespace

class RunTrace::Writer {
 public:
  explicit Writer(const RunTrace::Sink& sink) : sink_(sink) {}

  void begin(const Facts& facts, std::int64_t limit, std::int64_t left_out) {
    text_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
    for (const auto& [key, value] : facts) {
      text_ += json_text(key) + ':' + json_text(value) + ',';
    }
    text_ += fmt::format("\"event_limit\":{},\"events_left_out\":{}}},\"traceEvents\":[", limit,
                         left_out);
  }

  // `name`: in front of the processes' names; empty: none.
  void write(const RunTrace& trace, const std::string& name) {
    trace_ = &trace;
    prefix_ = name.empty() ? "" : name + ": ";
    thread_of_.clear();
    name_processes();
    name_threads();
    for (const Bar& bar : trace.bars_) write_bar(bar);
    write_phases();
    write_counters();
    first_process_ += trace.servers_ + 1;
  }

  void end() {
    text_ += "\n]}\n";
    sink_(text_);
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;

  void event(std::string_view json) {
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
    text_ += json;
    if (text_.size() < kPiece) return;
    sink_(text_);
    text_.clear();
  }

  void name(std::string_view what, int process, std::size_t thread, std::string_view text) {
    event(fmt::format(R"({{"name":"{}","ph":"M","pid":{},"tid":{},"args":{{"name":{}}}}})", what,
                      first_process_ + process, thread, json_text(text)));
  }

  // The process behind the servers has the counters.
  int counters_process() const { return trace_->servers_; }

  void name_processes() {
    std::set<int> servers;
    for (const auto& [number, connection] : trace_->connections_) servers.insert(connection.server);
    for (const int server : servers) {
      name("process_name", server, 0, fmt::format("{}server{}", prefix_, server));
    }
    if (!trace_->phases_.empty())
      name("process_name", 0, 0, prefix_ + "phases per class of channels");
    if (!trace_->counters_.empty()) {
      name("process_name", counters_process(), 0, prefix_ + "busiest links (share of their rate)");
    }
  }

  // Threads of a server in the order of ranks, then channels.
  void name_threads() {
    using Key = std::tuple<int, std::int32_t, std::uint32_t, std::uint32_t>;
    std::map<Key, const Connection*> order;
    for (const auto& [number, connection] : trace_->connections_) {
      order[{connection.server, connection.rank, connection.class_index, number}] = &connection;
    }
    std::size_t thread = 0;
    int server = -1;
    for (const auto& [key, connection] : order) {
      if (std::get<0>(key) != server) thread = 0;
      server = std::get<0>(key);
      thread_of_[std::get<3>(key)] = ++thread;
      name("thread_name", server, thread,
           fmt::format("{} to {}, {}", connection->from, connection->to, connection->channels));
    }
  }

  void write_bar(const Bar& bar) {
    const Connection& connection = trace_->connections_.at(bar.connection);
    event(
        fmt::format(R"({{"name":{},"cat":"{}","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},)"
                    R"("args":{{"bytes":{},"channels":{},"loop":{},"slice":{},"arrives_us":{}}}}})",
                    json_text((bar.reduces ? "reduce at " : "copy to ") + connection.to),
                    trace_->category_, microseconds_at(bar.begin),
                    exact_microseconds(bar.end - bar.begin), first_process_ + connection.server,
                    thread_of_.at(bar.connection), bar.payload * connection.count, connection.count,
                    bar.loop, bar.slice, microseconds_at(bar.arrival)));
  }

  void write_phases() {
    std::map<std::size_t, std::string> classes;
    for (const PhaseBar& bar : trace_->phases_) classes[bar.phase.class_index] = bar.channels;
    for (const auto& [number, channels] : classes) name("thread_name", 0, number + 1, channels);
    for (const PhaseBar& bar : trace_->phases_) {
      const Duration length = bar.phase.end - bar.phase.begin;
      const double bytes = bar.phase.steps * bar.phase.step_wire;
      const double gbytes = length.count() > 0 ? bytes / to_seconds(length) / 1e9 : 0;
      event(fmt::format(
          R"({{"name":"{} steps","cat":"{}","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},)"
          R"("args":{{"steps":{},"wire_bytes_per_step":{},"gbytes_per_second":{}}}}})",
          significant(bar.phase.steps, 6), trace_->category_, microseconds_at(bar.phase.begin),
          exact_microseconds(length), first_process_, bar.phase.class_index + 1,
          significant(bar.phase.steps, 9), significant(bar.phase.step_wire, 9),
          significant(gbytes, 6)));
    }
  }

  void write_counters() {
    for (const Counter& counter : trace_->counters_) {
      const std::string label = json_text(counter.link);
      for (const auto& [time, busy] : counter.busy) {
        event(fmt::format(R"({{"name":{},"ph":"C","ts":{},"pid":{},"args":{{"busy":{}}}}})", label,
                          microseconds_at(time), first_process_ + counters_process(),
                          significant(busy, 4)));
      }
    }
  }

  const RunTrace* trace_ = nullptr;  // at hand
  std::string prefix_;               // of its processes
  int first_process_ = 0;            // its
  const Sink& sink_;
  std::map<std::uint32_t, std::size_t> thread_of_;  // by connection
  std::string text_;
  bool first_ = true;
};

void RunTrace::write(const Facts& facts, const Sink& sink) const {
  const Named alone{"", this};
  write_all(facts, {&alone, 1}, sink);
}

void RunTrace::write_all(const Facts& facts, std::span<const Named> traces, const Sink& sink) {
  std::int64_t limit = 0, left_out = 0;
  for (const auto& [name, trace] : traces) {
    limit += trace->most_events_;
    left_out += trace->left_out_;
  }
  Writer writer(sink);
  writer.begin(facts, limit, left_out);
  for (const auto& [name, trace] : traces) writer.write(*trace, name);
  writer.end();
}

}  // namespace ringspan
