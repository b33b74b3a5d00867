#include "codegen/llvm/detail/contained.h"

#include <condition_variable>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <llvm/Support/ErrorHandling.h>

#include <signal.h>
#include <unistd.h>

namespace solway::codegen::detail {
namespace {

/// What became of the work of a thread.
struct Outcome {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_over = false;
  std::string fatal;          ///< LLVM's words
  std::exception_ptr thrown;  ///< by the work

  void end(std::string words, std::exception_ptr exception) {
    const std::lock_guard<std::mutex> lock(mutex);
    fatal = std::move(words);
    thrown = std::move(exception);
    is_over = true;
    changed.notify_one();
  }
};

/// Of the work that this thread runs; null on threads of others.
thread_local Outcome* outcome_of_thread = nullptr;

/// Never returns from the work of a thread of ours: LLVM would end the process.
void stop_work(void* /*user_data*/, const char* reason, bool /*makes_report*/) {
  if (outcome_of_thread == nullptr) {
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);  // as LLVM does without a handler
    return;
  }
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const std::string words = reason == nullptr ? "" : reason;
  outcome_of_thread->end(words.empty() ? "no reason given" : words, nullptr);
  for (;;) pause();
}

bool install_handler() {
  llvm::install_fatal_error_handler(stop_work);
  return true;
}

}  // namespace

std::string run_contained(std::function<void()> work) {
  static const bool kInstalled = install_handler();
  (void)kInstalled;
  const auto outcome = std::make_shared<Outcome>();
  std::thread thread([outcome, work = std::move(work)]() mutable {
    outcome_of_thread = outcome.get();
    std::exception_ptr thrown;
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    outcome->end("", thrown);
  });
  {
    std::unique_lock<std::mutex> lock(outcome->mutex);
    outcome->changed.wait(lock, [&] { return outcome->is_over; });
  }
  if (!outcome->fatal.empty()) {
    thread.detach();  // it waits for ever
    return outcome->fatal;
  }
  thread.join();
  if (outcome->thrown) std::rethrow_exception(outcome->thrown);
  return "";
}

}  // namespace solway::codegen::detail
