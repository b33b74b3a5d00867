#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/vector_clock.h"

namespace solway::emulator {

/// The step of an access that goes on: a transfer that nobody has waited for. It comes before
/// nothing.
inline constexpr std::uint32_t kUnfinished = 0xFFFFFFFF;

/// One access of a thread to main memory.
struct MainAccess {
  unsigned thread = 0;
  std::uint32_t step = 0;  ///< of `thread`; kUnfinished for a transfer
  bool write = false;
  bool transfer = false;
  const Site* site = nullptr;
};

/// An earlier access that is not ordered with the one that was made.
struct MainConflict {
  MainAccess other;
  std::uint64_t address = 0;  ///< of the first byte that both touch
  std::uint64_t bytes = 0;
};

/// The last accesses of 4 bytes of main memory, packed; 0: none.
struct MainCell {
  std::uint64_t write = 0;
  std::uint64_t read = 0;
};

/// Finds pairs of accesses to the same bytes of main memory, one of them a write, that no order
/// stands between: for each 4 bytes the last write and the reads since, with the step of the
/// thread that made them. Bytes count, not words.
class MainShadow {
 public:
  /// Cells for the 4-byte words that [lo, lo + bytes) touches.
  static std::uint64_t cell_count(std::uint64_t lo, std::uint64_t bytes) {
    return bytes == 0 ? 0 : ((lo + bytes - 1) >> 2) - (lo >> 2) + 1;
  }

  /// Makes one access to [address, address + bytes); `cells` is that of the word of `address`,
  /// `clock` what its thread comes after. What it conflicts with, if anything, is returned.
  std::optional<MainConflict> access(MainCell* cells, std::uint64_t address, std::uint64_t bytes,
                                     const MainAccess& access, const VectorClock& clock);
  /// Ends the unfinished accesses of `access.thread` to these bytes: they happened at
  /// `access.step`.
  void finish(MainCell* cells, std::uint64_t address, std::uint64_t bytes,
              const MainAccess& access);

 private:
  /// The last read of each thread, packed.
  struct Shared {
    std::array<std::uint64_t, kFirstThreads> reads{};
    std::vector<std::uint64_t> more;

    std::uint64_t& of(unsigned thread) {
      if (thread < kFirstThreads) return reads[thread];
      const std::size_t at = thread - kFirstThreads;
      if (at >= more.size()) more.resize(at + 1);
      return more[at];
    }
  };
  using Split = std::array<MainCell, 4>;

  std::uint64_t pack(const MainAccess& access, unsigned mask);
  MainAccess unpack(std::uint64_t record, bool write) const;
  std::optional<MainConflict> touch(MainCell& cell, std::uint64_t word, unsigned mask,
                                    const MainAccess& access, const VectorClock& clock);
  std::optional<MainConflict> find_conflict(const MainCell& cell, std::uint64_t word, unsigned mask,
                                            const MainAccess& access,
                                            const VectorClock& clock) const;
  void split(MainCell& cell);
  std::uint64_t share(std::uint64_t record);
  void drop_reads(MainCell& cell);
  void finish_cell(MainCell& cell, unsigned mask, const MainAccess& access);
  std::uint32_t site_number(const Site* site);

  std::vector<const Site*> sites_ = {nullptr};
  std::array<std::pair<const Site*, std::uint32_t>, 256> recent_sites_{};
  std::deque<Shared> shared_;
  std::vector<std::uint32_t> free_shared_;
  std::deque<Split> splits_;
};

}  // namespace solway::emulator
