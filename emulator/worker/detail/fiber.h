#pragma once

#include <csetjmp>
#include <cstddef>

#include <ucontext.h>

namespace solway::emulator {

/// A part of the program with a stack of its own that runs until it gives up, on the thread of who
/// resumes it.
class Fiber {
 public:
  /// The first `resume` calls `function` on this stack.
  void start(void* stack, std::size_t bytes, void (*function)());
  /// Goes on with it until it suspends itself or its function returns.
  void resume();
  /// Called by the fiber itself: goes back to who has resumed it.
  void suspend();

 private:
  static void run();
  [[noreturn]] void leave();

  void (*function_)() = nullptr;
  bool is_new_ = false;
  ucontext_t inside_{};
  ucontext_t outside_{};
  // Where to go on; unlike a switch of contexts this needs no system call.
  std::jmp_buf inside_place_{};
  std::jmp_buf outside_place_{};
};

}  // namespace solway::emulator
