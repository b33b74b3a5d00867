#pragma once

#include <string>
#include <vector>

namespace solway::emulator {

/// How a child process ended.
struct ChildResult {
  int exit_code = -1;  ///< -1: it did not exit
  int signal = 0;      ///< that ended it; 0: none
  bool timed_out = false;
  std::string output;    ///< what it wrote to the answer pipe
  std::string messages;  ///< standard output and standard error
};

/// Limits of a child process.
struct ChildLimits {
  double seconds = 600;          ///< wall time
  std::size_t memory_bytes = 0;  ///< address space; 0: no limit
};

/// Runs `words[0]` with the other words as arguments and waits for its end. `{answer}` in a word
/// stands for the number of a descriptor whose text becomes `output`. `kept` (-1: none) stays open
/// in the child, as the descriptor with the number 3.
ChildResult run_child(const std::vector<std::string>& words, const ChildLimits& limits,
                      int kept = -1);

}  // namespace solway::emulator
