#include "app/cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace ringspan {

namespace {

constexpr int kExitInterrupted = 130;

// The one variable of its kind: a signal handler can reach nothing else.
volatile std::sig_atomic_t interrupt_count = 0;

extern "C" void note_interrupt(int) {
  if (interrupt_count > 0) ::_exit(kExitInterrupted);
  interrupt_count = 1;
}

void handle_interrupts(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  // SIGTERM is how a batch system says that time is up: the rows that are done are worth keeping.
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupt_count = 0;
  handle_interrupts(note_interrupt);
}

InterruptWatch::~InterruptWatch() { handle_interrupts(SIG_DFL); }

bool InterruptWatch::interrupted() const { return interrupt_count > 0; }

}  // namespace ringspan
