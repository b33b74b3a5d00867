#include "emulator/worker/detail/fiber.h"

namespace solway::emulator {
namespace {

Fiber* starting = nullptr;  ///< whose function `run` calls

// The sanitizer follows contexts to other stacks, but no jumps.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kJumps = false;
#else
constexpr bool kJumps = true;
#endif

}  // namespace

void Fiber::start(void* stack, std::size_t bytes, void (*function)()) {
  function_ = function;
  is_new_ = true;
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack;
  inside_.uc_stack.ss_size = bytes;
  inside_.uc_link = nullptr;  // `run` does not return
  makecontext(&inside_, &Fiber::run, 0);
}

void Fiber::run() {
  Fiber& self = *starting;
  self.function_();
  self.leave();
}

void Fiber::resume() {
  const bool is_new = is_new_;
  is_new_ = false;
  if (is_new) starting = this;
  if (!kJumps) {
    swapcontext(&outside_, &inside_);
  } else if (_setjmp(outside_place_) == 0) {
    if (is_new) setcontext(&inside_);
    _longjmp(inside_place_, 1);
  }
}

void Fiber::suspend() {
  if (!kJumps) {
    swapcontext(&inside_, &outside_);
  } else if (_setjmp(inside_place_) == 0) {
    _longjmp(outside_place_, 1);
  }
}

void Fiber::leave() {
  if (!kJumps) setcontext(&outside_);
  _longjmp(outside_place_, 1);
}

}  // namespace solway::emulator
