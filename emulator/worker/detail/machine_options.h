#pragma once

#include <cstdint>
#include <optional>

#include "emulator/machine_timing.h"

namespace solway::emulator {

/// The mesh of the largest machine, which is Sunway's.
inline constexpr int kCpeRows = 8;
inline constexpr int kCpeColumns = 8;
inline constexpr int kCpes = kCpeRows * kCpeColumns;
/// And its core groups.
inline constexpr int kMostGroups = 6;

/// Around each CPE's memory, where nothing is.
inline constexpr std::uint64_t kGuardBytes = 65536;

/// When the bytes of a transfer move and its counter rises.
enum class LandingPolicy { AtIssue, AtWait, Random };

/// Where the automatic variables of CPE code lie.
enum class CpeStack { Ldm, Main };

/// What the emulated machine is like.
struct MachineOptions {
  std::uint64_t seed = 0;
  std::int64_t step_budget = 0;
  LandingPolicy landing = LandingPolicy::AtWait;
  bool hazards = false;  ///< look for hazards; the program must be instrumented for it
  CpeStack stack = CpeStack::Ldm;
  const char* barrier_name = "athread_syn";    ///< what programs call
  const char* machine_barrier_name = nullptr;  ///< and for all core groups; null: there is none
  std::uint64_t ldm_bytes = 0;
  std::uint64_t reserved_bytes = 0;
  std::uint64_t shared_bytes = 0;  ///< of the scratchpad that all CPEs see; 0: there is none
  std::uint64_t heap_grain = 32;   ///< blocks of ldm_malloc begin at multiples: vectors lie in them
  int cores = kCpes;               ///< CPEs that there are, at most kCpes
  int groups = 1;                  ///< of so many CPEs each, at most kMostGroups
  std::int64_t max_transfer_bytes = 0;  ///< of one DMA request
  std::int64_t max_block_bytes = 0;     ///< and of one of its blocks
  std::int64_t min_transfer_bytes = 0;
  std::uint64_t transfer_alignment = 4;  ///< of its addresses and sizes, a power of two
  int transfer_ranks = 2;                ///< 1: of one block only
  std::optional<MachineTiming> timing;   ///< of timed mode
};

/// Vectors of 256 bits in a send or receive buffer of register communication (Fang et al., the
/// journal version of swDNN: two buffers of 1024 bits each way).
inline constexpr int kRegisterBufferDepth = 4;

}  // namespace solway::emulator
