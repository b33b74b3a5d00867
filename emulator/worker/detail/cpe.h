#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/fiber.h"
#include "emulator/worker/dma_rate.h"
#include "emulator/worker/ldm_heap.h"
#include "emulator/worker/object_table.h"
#include "emulator/worker/register_mesh.h"

namespace solway::emulator {

/// A DMA request that has been issued and has not landed; in hazard mode, that nobody has waited
/// for.
struct Transfer {
  using Direction = DmaDirection;
  Direction direction;
  int mode;  ///< kOwnMode, kBroadcastMode or kRankMode
  std::uint64_t main_address;
  std::uint64_t ldm_address;  ///< on the issuer; others have it at the same offset
  std::uint64_t bytes;        ///< of main memory
  std::uint64_t block;        ///< contiguous bytes in main memory
  std::int64_t pitch;         ///< from the start of one block to the start of the next
  std::uint64_t counter;      ///< address of the reply word; 0: none
  const Site* issued;
  std::uint64_t cpes = 0;          ///< whose LDM it goes to or comes from: a CpeSet
  std::uint64_t ldm_bytes = 0;     ///< on each of them, from ldm_address on
  std::uint64_t number = 0;        ///< of the request in timed mode
  std::uint32_t shared = 0;        ///< its number where LDM of other CPEs is watched
  bool moved = false;              ///< the data have been copied
  bool counted = false;            ///< the counter has risen
  std::uint64_t plane_blocks = 0;  ///< blocks until the next plane begins; 0: all
  std::int64_t plane_pitch = 0;    ///< from the start of one plane to the start of the next
};

/// Whether `transfer` goes to, or comes from, the LDM of this CPE.
inline bool takes_part(const Transfer& transfer, int cpe) {
  return (transfer.cpes >> cpe & 1) != 0;
}

/// Contiguous pieces of main memory.
inline std::uint64_t block_count(const Transfer& transfer) {
  return transfer.bytes == 0 ? 0 : transfer.bytes / transfer.block;
}

/// Where a block begins in main memory.
inline std::uint64_t block_address(const Transfer& transfer, std::uint64_t number) {
  const std::uint64_t each =
      transfer.plane_blocks == 0 ? block_count(transfer) : transfer.plane_blocks;
  return transfer.main_address + static_cast<std::uint64_t>(transfer.pitch) * (number % each) +
         static_cast<std::uint64_t>(transfer.plane_pitch) * (number / each);
}

/// First byte and one past the last byte of main memory that the transfer touches.
std::pair<std::uint64_t, std::uint64_t> main_range(const Transfer& transfer);

inline bool overlap(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b,
                    std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

enum class CpeState { Idle, Ready, Blocked, Polling, Finished };

/// What a CPE at a barrier, or a poll, is held by.
struct Wait {
  std::string reason;  ///< "at athread_syn(ARRAY_SCOPE, 0xffff)"
  const Site* where = nullptr;
  std::uint64_t barrier = 0;     ///< key; 0: not a barrier
  bool is_for_message = false;   ///< what happens to register buffers may end it
  bool is_for_transfer = false;  ///< in timed mode: the end of a transfer may end it
  std::uint64_t address = 0;     ///< of the polled word
  std::uint64_t bytes = 0;
  std::uint64_t seen = 0;  ///< the value at the last poll
};

/// CPEs of a core group, a bit each.
using CpeSet = std::uint64_t;

/// CPEs 0 to count - 1.
inline CpeSet first_cpes(int count) { return ~CpeSet{0} >> (64 - count); }

template <typename Visitor>
void for_each_cpe(CpeSet cpes, Visitor visit) {
  for (; cpes != 0; cpes &= cpes - 1) visit(std::countr_zero(cpes));
}

/// What a CPE was started with.
struct Task {
  const FunctionInfo* entry = nullptr;
  void* argument = nullptr;
  const Site* started = nullptr;
  const char* joined_by = "";  ///< "athread_join"
  unsigned starter = 0;        ///< the thread of the MPE, in vector clocks
};

class CoreGroup;

/// One CPE: a fiber, its LDM and what it has under way.
struct Cpe {
  int id = 0;           ///< in its group
  int number = 0;       ///< in the machine
  unsigned thread = 0;  ///< in vector clocks
  CoreGroup* group = nullptr;
  char* host_stack = nullptr;
  std::uint64_t host_stack_bytes = 0;
  char* ldm = nullptr;
  Fiber fiber;
  CpeState state = CpeState::Idle;
  Task task;
  Wait wait;
  bool stands_still = false;  ///< before its fault is reported
  std::vector<Transfer> pending;
  int idle_reads = 0;  ///< of counters, since a counter rose or a transfer was issued
  LdmHeap heap;
  ObjectTable objects;            ///< static LDM objects and the heap's
  Object* frames = nullptr;       ///< automatic variables, newest first
  std::uint64_t extra_stack = 0;  ///< of variable arrays and recursion, now
  const Site* site = nullptr;     ///< the call that runs, while switched away
  RegisterValue message{};        ///< taken last from a receive buffer
  std::uint64_t readings = 0;     ///< of its cycle counter
  std::int64_t ticks = 0;         ///< its clock while it is switched away
  std::int64_t began = 0;         ///< its clock at the start of its function
};

/// Bytes of a CPE's memory: its stack, and its LDM behind that.
inline std::uint64_t memory_bytes(const Cpe& cpe, std::uint64_t ldm_bytes) {
  return cpe.host_stack_bytes + ldm_bytes;
}

/// Where an address lies in a CPE's memory, and back: what all have lies alike in each.
inline std::uint64_t memory_offset(const Cpe& cpe, std::uint64_t address) {
  return address - reinterpret_cast<std::uint64_t>(cpe.host_stack);
}
inline std::uint64_t memory_place(const Cpe& cpe, std::uint64_t offset) {
  return reinterpret_cast<std::uint64_t>(cpe.host_stack) + offset;
}

}  // namespace solway::emulator
