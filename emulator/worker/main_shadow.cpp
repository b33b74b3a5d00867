#include "emulator/worker/main_shadow.h"

#include <algorithm>
#include <bit>

namespace solway::emulator {
namespace {

// A record: site << 46 | transfer << 45 | mask << 41 | thread << 32 | step. Two numbers of threads
// mean that the low half is the number of shared reads, or of a split cell.
constexpr unsigned kThreadMask = 511;
constexpr unsigned kSharedReads = 510;
constexpr unsigned kSplitCell = 511;
static_assert(kMostThreads <= kSharedReads);
constexpr unsigned kMaskShift = 41;
constexpr unsigned kTransferShift = 45;
constexpr unsigned kSiteShift = 46;
constexpr unsigned kWholeWord = 15;

constexpr std::uint32_t step_of(std::uint64_t record) { return static_cast<std::uint32_t>(record); }
constexpr unsigned thread_of(std::uint64_t record) {
  return static_cast<unsigned>(record >> 32 & kThreadMask);
}
constexpr unsigned mask_of(std::uint64_t record) {
  return static_cast<unsigned>(record >> kMaskShift & 15);
}
constexpr std::uint64_t with_mask(std::uint64_t record, unsigned mask) {
  return (record & ~(std::uint64_t{15} << kMaskShift)) | std::uint64_t{mask} << kMaskShift;
}
constexpr std::uint64_t with_step(std::uint64_t record, std::uint32_t step) {
  return (record & ~std::uint64_t{0xFFFFFFFF}) | step;
}
constexpr std::uint64_t number_record(unsigned tag, std::uint64_t number) {
  return std::uint64_t{kWholeWord} << kMaskShift | std::uint64_t{tag} << 32 | number;
}

bool comes_before(std::uint64_t record, const VectorClock& clock) {
  return step_of(record) != kUnfinished && step_of(record) <= clock[thread_of(record)];
}

MainConflict conflict_at(const MainAccess& other, std::uint64_t word, unsigned mask) {
  return {other, word + static_cast<unsigned>(std::countr_zero(mask)),
          static_cast<std::uint64_t>(std::popcount(mask))};
}

/// Whether the cell's records would stay as they are, but for the line: the thread has made this
/// access before, at the same step.
bool repeats(const MainCell& cell, const MainAccess& access, const VectorClock& clock) {
  const std::uint64_t mine =
      std::uint64_t{kWholeWord} << kMaskShift | std::uint64_t{access.thread} << 32 | access.step;
  constexpr std::uint64_t kWithoutSite = (std::uint64_t{1} << kTransferShift) - 1;
  if (access.write) return (cell.write & kWithoutSite) == mine && cell.read == 0;
  return (cell.read & kWithoutSite) == mine &&
         (cell.write == 0 ||
          (thread_of(cell.write) < kMostThreads && comes_before(cell.write, clock)));
}

/// Calls `visit(cell, word address, mask)` for each word until it returns something.
template <typename Visitor>
auto for_each_word(MainCell* cells, std::uint64_t address, std::uint64_t bytes, Visitor visit)
    -> decltype(visit(*cells, address, 0U)) {
  const std::uint64_t end = address + bytes;
  for (std::uint64_t word = address & ~std::uint64_t{3}; word < end; word += 4, ++cells) {
    unsigned mask = kWholeWord;
    if (word < address) mask &= kWholeWord << (address - word);
    if (word + 4 > end) mask &= kWholeWord >> (word + 4 - end);
    if (auto found = visit(*cells, word, mask)) return found;
  }
  return {};
}

}  // namespace

std::uint32_t MainShadow::site_number(const Site* site) {
  auto& [recent, number] =
      recent_sites_[reinterpret_cast<std::uintptr_t>(site) / sizeof(Site) % recent_sites_.size()];
  if (recent == site && number != 0) return number;
  const auto found = std::find(sites_.begin() + 1, sites_.end(), site);
  if (found == sites_.end()) {
    sites_.push_back(site);
    number = static_cast<std::uint32_t>(sites_.size() - 1);
  } else {
    number = static_cast<std::uint32_t>(found - sites_.begin());
  }
  recent = site;
  return number;
}

std::uint64_t MainShadow::pack(const MainAccess& access, unsigned mask) {
  return std::uint64_t{site_number(access.site)} << kSiteShift |
         std::uint64_t{access.transfer ? 1U : 0U} << kTransferShift |
         std::uint64_t{mask} << kMaskShift | std::uint64_t{access.thread} << 32 | access.step;
}

MainAccess MainShadow::unpack(std::uint64_t record, bool write) const {
  return {thread_of(record), step_of(record), write, (record >> kTransferShift & 1) != 0,
          sites_[record >> kSiteShift]};
}

std::optional<MainConflict> MainShadow::find_conflict(const MainCell& cell, std::uint64_t word,
                                                      unsigned mask, const MainAccess& access,
                                                      const VectorClock& clock) const {
  const unsigned written = mask_of(cell.write) & mask;
  if (written != 0 && !comes_before(cell.write, clock)) {
    return conflict_at(unpack(cell.write, true), word, written);
  }
  if (!access.write || cell.read == 0) return {};
  if (thread_of(cell.read) == kSharedReads) {
    const Shared& shared = shared_[step_of(cell.read)];
    const auto unordered = [&](std::uint64_t read) {
      return read != 0 && !comes_before(read, clock);
    };
    const auto first = std::find_if(shared.reads.begin(), shared.reads.end(), unordered);
    if (first != shared.reads.end()) return conflict_at(unpack(*first, false), word, mask);
    const auto other = std::find_if(shared.more.begin(), shared.more.end(), unordered);
    if (other != shared.more.end()) return conflict_at(unpack(*other, false), word, mask);
    return {};
  }
  const unsigned both = mask_of(cell.read) & mask;
  if (both != 0 && !comes_before(cell.read, clock)) {
    return conflict_at(unpack(cell.read, false), word, both);
  }
  return {};
}

std::uint64_t MainShadow::share(std::uint64_t record) {
  if (free_shared_.empty()) {
    free_shared_.push_back(static_cast<std::uint32_t>(shared_.size()));
    shared_.emplace_back();
  }
  const std::uint32_t number = free_shared_.back();
  free_shared_.pop_back();
  shared_[number] = {};
  shared_[number].of(thread_of(record)) = record;
  return number_record(kSharedReads, number);
}

void MainShadow::drop_reads(MainCell& cell) {
  if (cell.read != 0 && thread_of(cell.read) == kSharedReads) {
    free_shared_.push_back(step_of(cell.read));
  }
  cell.read = 0;
}

void MainShadow::split(MainCell& cell) {
  Split parts{};
  for (unsigned i = 0; i < 4; ++i) {
    if ((mask_of(cell.write) >> i & 1) != 0) parts[i].write = with_mask(cell.write, kWholeWord);
    if (cell.read == 0 || (mask_of(cell.read) >> i & 1) == 0) continue;
    if (thread_of(cell.read) != kSharedReads) {
      parts[i].read = with_mask(cell.read, kWholeWord);
      continue;
    }
    const Shared reads = shared_[step_of(cell.read)];
    parts[i].read = share(number_record(0, 0));
    shared_[step_of(parts[i].read)] = reads;
  }
  drop_reads(cell);
  splits_.push_back(parts);
  cell.write = number_record(kSplitCell, splits_.size() - 1);
}

std::optional<MainConflict> MainShadow::touch(MainCell& cell, std::uint64_t word, unsigned mask,
                                              const MainAccess& access, const VectorClock& clock) {
  if (thread_of(cell.write) == kSplitCell) {
    for (unsigned i = 0; i < 4; ++i) {
      if ((mask >> i & 1) == 0) continue;
      auto conflict = touch(splits_[step_of(cell.write)][i], word + i, kWholeWord, access, clock);
      if (conflict) {
        conflict->address = word + i;
        conflict->bytes = 1;
        return conflict;
      }
    }
    return {};
  }
  if (auto conflict = find_conflict(cell, word, mask, access, clock)) return conflict;
  const std::uint64_t record = pack(access, mask);
  std::uint64_t& slot = access.write ? cell.write : cell.read;
  const std::uint64_t old = slot;
  if (old != 0 && thread_of(old) == kSharedReads) {
    if (mask != kWholeWord) {
      split(cell);
      return touch(cell, word, mask, access, clock);
    }
    std::uint64_t& mine = shared_[step_of(old)].of(access.thread);
    if (mine == 0 || step_of(mine) < access.step) mine = record;
    return {};
  }
  const bool covers = (mask_of(old) & ~mask) == 0;
  const bool same_thread = thread_of(old) == access.thread;
  if (old == 0 || (covers && (access.write || comes_before(old, clock)))) {
    slot = record;
  } else if (same_thread && step_of(old) == access.step) {
    slot = with_mask(record, mask | mask_of(old));
  } else if (same_thread && !access.write && mask == mask_of(old)) {
    slot = with_step(record, std::max(step_of(old), access.step));
  } else if (!access.write && mask == kWholeWord && mask_of(old) == kWholeWord) {
    slot = share(old);
    shared_[step_of(slot)].of(access.thread) = record;
  } else {
    split(cell);
    return touch(cell, word, mask, access, clock);
  }
  if (access.write && mask == kWholeWord) drop_reads(cell);
  return {};
}

std::optional<MainConflict> MainShadow::access(MainCell* cells, std::uint64_t address,
                                               std::uint64_t bytes, const MainAccess& access,
                                               const VectorClock& clock) {
  if (bytes == 4 && address % 4 == 0 && repeats(*cells, access, clock)) return {};
  return for_each_word(cells, address, bytes,
                       [&](MainCell& cell, std::uint64_t word, unsigned mask) {
                         return touch(cell, word, mask, access, clock);
                       });
}

void MainShadow::finish_cell(MainCell& cell, unsigned mask, const MainAccess& access) {
  if (thread_of(cell.write) == kSplitCell) {
    for (unsigned i = 0; i < 4; ++i) {
      if ((mask >> i & 1) != 0) {
        finish_cell(splits_[step_of(cell.write)][i], kWholeWord, access);
      }
    }
    return;
  }
  const auto end = [&](std::uint64_t& record) {
    if (record != 0 && thread_of(record) == access.thread && step_of(record) == kUnfinished) {
      record = with_step(record, access.step);
    }
  };
  if (access.write) {
    end(cell.write);
  } else if (thread_of(cell.read) == kSharedReads) {
    end(shared_[step_of(cell.read)].of(access.thread));
  } else {
    end(cell.read);
  }
}

void MainShadow::finish(MainCell* cells, std::uint64_t address, std::uint64_t bytes,
                        const MainAccess& access) {
  for_each_word(cells, address, bytes,
                [&](MainCell& cell, std::uint64_t, unsigned mask) -> std::optional<bool> {
                  finish_cell(cell, mask, access);
                  return {};
                });
}

}  // namespace solway::emulator
