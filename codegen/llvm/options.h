#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "support/remark.h"

namespace solway::codegen {

/// How a kernel's entry takes its arguments.
enum class EntryForm : std::uint8_t {
  Array,    ///< int32_t name(void** args)
  Pointers  ///< int32_t name(const float* A, float* C), as a C program declares it
};

/// Who runs a parallel loop.
enum class ParallelForm : std::uint8_t {
  OneThread,  ///< the caller's thread, as any loop: the code needs nothing but the C library
  Team        ///< the threads of a runtime::Team that a call brings, as many as there are
};

/// What the machine code is made for and how.
struct LlvmOptions {
  std::string cpu;       ///< LLVM's name: "znver4", "x86-64-v3"; empty: this machine's
  std::string features;  ///< "+fma,-avx512f", added to those of `cpu`
  std::string triple;    ///< "aarch64-linux-gnu"; empty: this process's
  EntryForm entry = EntryForm::Array;
  /// With Team, EntryForm::Array has a second parameter, and with EntryForm::Pointers the code
  /// brings a team of its own, made by POSIX threads (runtime/library_team.h), and a second
  /// function, `void name_set_threads(int32_t)`.
  ParallelForm parallel = ParallelForm::OneThread;
  std::string entry_name;  ///< symbol of the entry; empty: entry_symbol(kernel)
  /// Fill the destination of a transfer when it is issued (floats: NaN, others: 0x5A bytes), so
  /// that a read before the wait is seen.
  bool poison_transfers = false;
  /// Parameters that may be the very memory of another; all others share none.
  std::set<std::string> shared = {};
};

/// What a compiled kernel returns.
enum class KernelStatus : int {
  Ok = 0,
  OutOfMemory = 1,        ///< its arena for allocated buffers; nothing was written
  WaitWithoutIssue = 2,   ///< a wait found no pending transfer of its id and slot
  IssueWhilePending = 3,  ///< a transfer was issued before the last one of its slot was waited for
  RequirementFailed = 4   ///< one of ir::Kernel::requirements; nothing was written
};

}  // namespace solway::codegen
