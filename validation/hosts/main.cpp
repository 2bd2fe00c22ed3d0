// ringspan-replay-hosts: measures collectives over MPI. Code flow:
//   main.cpp             MPI's begin and end, exceptions to messages and exit codes
//   replay_session.cpp   rank 0 reads the orders and shares them; all run the plan; rank 0 writes
//   hosts_backend.cpp    the replay's calls as MPI's
//   tuned_algorithm.cpp  forced algorithms as Open MPI's parameters

#include <mpi.h>
#include <signal.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "app/cli/output.h"
#include "validation/hosts/mpi_call.h"
#include "validation/hosts/replay_session.h"

int main(int argc, char** argv) {
  using namespace ringspan;
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  ::signal(SIGPIPE, SIG_IGN);
  // Read when MPI begins; whoever set it otherwise forces no algorithm.
  ::setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0);
  int provided = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 2;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int exit_code = 1;
  try {
    exit_code = run_replay_session(arguments);
  } catch (const MpiError& error) {
    write_message(std::string("error: ") + error.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  } catch (const OutputClosed&) {
    MPI_Abort(MPI_COMM_WORLD, 2);
  } catch (const std::exception& error) {
    write_message(std::string("internal error: ") + error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_T_finalize();
  MPI_Finalize();
  return exit_code;
}
