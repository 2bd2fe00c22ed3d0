#include "validation/hosts/replay_session.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "sim/base/input_error.h"
#include "validation/hosts/hosts_backend.h"
#include "validation/hosts/mpi_call.h"
#include "validation/plan/plan_reading.h"
#include "validation/plan/plan_writing.h"
#include "validation/replay/partial_results.h"
#include "validation/replay/replay_facts.h"
#include "validation/replay/replay_options.h"
#include "validation/replay/replay_output.h"

namespace ringspan {

namespace {

constexpr int kDone = 0;
constexpr int kUser = 2;
constexpr const char* kProgram = "ringspan-replay-hosts";

constexpr std::array<std::string_view, 6> kEnvironment = {"OMPI_MCA_btl*",
                                                          "OMPI_MCA_coll*",
                                                          "OMPI_MCA_pml*",
                                                          "OMPI_MCA_mpi_yield_when_idle",
                                                          "OMPI_MCA_hwloc_base_binding_policy",
                                                          "OMPI_MCA_rmaps_base_mapping_policy"};

// What rank 0 read, for the others: only it may have the files and standard input.
struct Orders {
  int exit_code = kDone;
  bool go = false;  // else the run ends with the exit code
  int timing = 0, check = 0, in_place = 0;
  std::string plan;
};

void share(Orders& orders) {
  std::array<int, 6> numbers = {orders.exit_code, orders.go ? 1 : 0,
                                orders.timing,    orders.check,
                                orders.in_place,  static_cast<int>(orders.plan.size())};
  mpi_call(MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, 0, MPI_COMM_WORLD),
           "MPI_Bcast");
  orders.exit_code = numbers[0];
  orders.go = numbers[1] != 0;
  orders.timing = numbers[2];
  orders.check = numbers[3];
  orders.in_place = numbers[4];
  orders.plan.resize(static_cast<std::size_t>(numbers[5]));
  mpi_call(MPI_Bcast(orders.plan.data(), numbers[5], MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Bcast");
}

// Hosts by number, in the order of their first ranks.
std::vector<ReplayRank> gather_ranks(int& local_ranks) {
  struct Place {
    char host[MPI_MAX_PROCESSOR_NAME];
    int process;
  };
  Place own{};
  int length = 0;
  MPI_Get_processor_name(own.host, &length);
  own.process = static_cast<int>(::getpid());
  std::vector<Place> all(static_cast<std::size_t>(mpi_ranks()));
  mpi_call(
      MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD),
      "MPI_Allgather");
  std::map<std::string, int> hosts;
  std::vector<int> on_host;
  std::vector<ReplayRank> ranks;
  local_ranks = 0;
  for (const Place& place : all) {
    const auto [entry, added] = hosts.emplace(place.host, static_cast<int>(hosts.size()));
    if (added) on_host.push_back(0);
    const int host = entry->second;
    ranks.push_back({host, place.process, on_host[static_cast<std::size_t>(host)]++, "-", "host"});
    if (std::string_view(place.host) == own.host) ++local_ranks;
  }
  return ranks;
}

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string version(text);
  return version.substr(0, version.find(','));  // "Open MPI v4.1.4"
}

class ReplaySession {
 public:
  explicit ReplaySession(std::span<const std::string> arguments) : arguments_(arguments) {}

  int run() {
    if (mpi_rank() == 0) read_orders();
    share(orders_);
    if (!orders_.go) return orders_.exit_code;
    int local_ranks = 1;
    report_.ranks = gather_ranks(local_ranks);
    report_.plan = parse_plan(orders_.plan, "<plan>");
    report_.timing = static_cast<ReplayTiming>(orders_.timing);
    settings_.timing = report_.timing;
    settings_.check = orders_.check != 0;
    settings_.in_place = orders_.in_place != 0;
    if (mpi_rank() == 0) describe();
    HostsBackend backend(local_ranks);
    measure(backend);
    int exit_code = mpi_rank() == 0 ? finish() : kDone;
    mpi_call(MPI_Bcast(&exit_code, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    return exit_code;
  }

 private:
  // Rank 0 only.
  void read_orders() {
    try {
      request_ = read_replay_request(arguments_, mpi_ranks(), false);
      if (request_.help) {
        Output("").write(replay_help(kProgram, false));
        return;
      }
      require_hosts_plan(request_.plan, request_.notes);
      const Output checked(request_.output);
      for (const std::string& note : request_.notes) write_message(note);
      orders_.plan = plan_text(request_.plan);
      orders_.timing = static_cast<int>(request_.settings.timing);
      orders_.check = request_.settings.check ? 1 : 0;
      orders_.in_place = request_.settings.in_place ? 1 : 0;
      settings_.budget = request_.settings.budget;
      orders_.go = true;
    } catch (const InputError& error) {
      write_message(error.what());
      orders_.exit_code = kUser;
    }
  }

  void describe() {
    report_.program = kProgram;
    report_.library = mpi_version();
    report_.system = request_.system;
    report_.case_name = request_.case_name;
    report_.facts = machine_facts();
    report_.facts.emplace_back("library", report_.library);
    report_.environment = listed_environment(kEnvironment);
  }

  void measure(HostsBackend& backend) {
    const InterruptWatch watch;
    std::optional<PartialResults> partial;
    if (mpi_rank() == 0) {
      partial.emplace(request_.timeout, watch, [this](const ReplayReport& report) {
        write_replay_results(request_, report);
      });
    }
    try {
      run_replay(report_, settings_, backend, [&](const ReplayReport& report) {
        if (partial) partial->update(report);
        return watch.interrupted();
      });
    } catch (const InputError& error) {
      // Every rank throws the same; what was measured before stands.
      failure_ = error.what();
      drop_unmeasured_rows(report_);
      report_.ended_early = "a size could not be measured";
    }
  }

  int finish() { return finish_replay(request_, report_, failure_); }

  std::span<const std::string> arguments_;
  Orders orders_;
  ReplayRequest request_;  // of rank 0
  ReplaySettings settings_;
  ReplayReport report_;
  std::string failure_;
};

}  // namespace

int run_replay_session(std::span<const std::string> arguments) {
  return ReplaySession(arguments).run();
}

}  // namespace ringspan
