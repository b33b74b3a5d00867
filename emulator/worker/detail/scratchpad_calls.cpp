#include "emulator/worker/detail/scratchpad_calls.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "emulator/worker/detail/athread_calls.h"
#include "emulator/worker/detail/dma_request.h"
#include "emulator/worker/detail/mpe_calls.h"

namespace solway::emulator {
namespace {

using Direction = Transfer::Direction;

// The managing side.

int start(void* function, void* argument, int cores) {
  require_mpe("scratchpad_start");
  machine().mpe_group("scratchpad_start").start_anew(cores, function, argument);
  return 0;
}

int finish() {
  require_mpe("scratchpad_finish");
  CoreGroup& group = machine().mpe_group("scratchpad_finish");
  if (group.started() == 0) {
    fail({.kind = "program",
          .where = shared_state().site,
          .what = "scratchpad_finish without scratchpad_start",
          .why = "no core runs",
          .fix = "call scratchpad_start() first"});
  }
  group.join(~CpeSet{0}, "scratchpad_finish");
  return 0;
}

// The side of the cores.

int core() { return require_cpe("scratchpad_core").id; }

int cores() {
  require_cpe("scratchpad_cores");
  return std::popcount(machine().group().started());
}

/// What a program asks for.
struct Blocks {
  const char* call;
  Direction direction;
  const void* main;
  const void* near;
  std::uint64_t bytes;  ///< of a block
  void* counter;
  std::uint64_t count = 1;
  std::optional<std::uint64_t> pitch = std::nullopt;  ///< empty: one contiguous piece
  std::uint64_t planes = 1;
  std::uint64_t plane_pitch = 0;  ///< of several planes
  std::uint64_t all_blocks() const { return count * planes; }
};

[[noreturn]] void refuse(const Blocks& b, const std::string& what, const std::string& why,
                         const std::string& fix) {
  machine().fault("bad_transfer", shared_state().site, b.call + what, why, fix);
}

void require_size(const Blocks& b) {
  const MachineOptions& options = machine().options();
  const auto least = static_cast<std::uint64_t>(options.min_transfer_bytes);
  const auto most = static_cast<std::uint64_t>(options.max_transfer_bytes);
  const std::string planes = b.planes == 1 ? "" : std::to_string(b.planes) + " planes of ";
  const std::string size = " of " + planes +
                           (b.pitch ? std::to_string(b.count) + " blocks of " : "") +
                           std::to_string(b.bytes) + " bytes";
  if (b.bytes == 0 || b.count == 0 || b.planes == 0) {
    refuse(b, size, "a transfer moves at least one byte", "leave it out where nothing is to move");
  }
  // The sizes may not wrap.
  const bool is_long = b.bytes > most || b.count > most / b.bytes ||
                       b.planes > most / (b.bytes * b.count) ||
                       b.pitch.value_or(0) > INT64_MAX / 2 || b.plane_pitch > INT64_MAX / 2;
  if (is_long) {
    refuse(b, size, "a transfer moves at most " + std::to_string(most) + " bytes",
           "split the transfer");
  }
  if (b.bytes * b.all_blocks() < least) {
    refuse(b, size, "a transfer moves at least " + std::to_string(least) + " bytes",
           "copy by loads and stores");
  }
  if (b.pitch && *b.pitch < b.bytes) {
    refuse(b, size + " that begin every " + std::to_string(*b.pitch) + " bytes",
           "the blocks overlap in main memory", "pass the distance from block to block");
  }
  // Compared without a product that may wrap.
  const bool overlap = b.planes > 1 && (b.plane_pitch < b.bytes ||
                                        (b.plane_pitch - b.bytes) / *b.pitch < b.count - 1);
  if (overlap) {
    refuse(b, size + " that begin every " + std::to_string(b.plane_pitch) + " bytes",
           "the planes overlap in main memory", "pass the distance from plane to plane");
  }
}

/// An automatic variable lies where the machine likes.
void require_static(const Blocks& b, const void* address) {
  const Object& object = *machine().object_at(as_number(address));
  if (object.kind != ObjectKind::LdmStack) return;
  refuse(b, " of an automatic variable",
         quoted(object) + " is on the stack, which need not lie in the scratchpad",
         "make it static SCRATCHPAD");
}

void transfer(const Blocks& b) {
  require_cpe(b.call);
  require_size(b);
  require_static(b, b.near);
  require_static(b, b.counter);
  issue(machine().group(), {.direction = b.direction,
                            .mode = kOwnMode,
                            .main = as_number(b.main),
                            .ldm = as_number(b.near),
                            .bytes = static_cast<std::int64_t>(b.bytes * b.all_blocks()),
                            .counter = as_number(b.counter),
                            .mask = 0,
                            .stride = b.pitch ? static_cast<std::int64_t>(*b.pitch - b.bytes) : 0,
                            .block = b.pitch ? static_cast<std::int64_t>(b.bytes) : 0,
                            .site = shared_state().site,
                            .plane_blocks = static_cast<std::int64_t>(b.planes > 1 ? b.count : 0),
                            .plane_pitch = static_cast<std::int64_t>(b.plane_pitch)});
}

void get(void* near, const void* main, std::size_t bytes, void* counter) {
  transfer({"scratchpad_get", Direction::Get, main, near, bytes, counter});
}

void put(void* main, const void* near, std::size_t bytes, void* counter) {
  transfer({"scratchpad_put", Direction::Put, main, near, bytes, counter});
}

void require_blocks(const char* call) {
  if (machine().options().transfer_ranks > 1) return;
  machine().fault("bad_transfer", shared_state().site, std::string(call) + " on this machine",
                  "its engine moves one contiguous piece per transfer",
                  "issue a transfer for each block");
}

void require_planes(const char* call) {
  require_blocks(call);
  if (machine().options().transfer_ranks > 2) return;
  machine().fault("bad_transfer", shared_state().site, std::string(call) + " on this machine",
                  "its engine moves blocks at one distance per transfer",
                  "issue a transfer for each plane");
}

void get_blocks(void* near, const void* main, std::size_t bytes, std::size_t count,
                std::size_t pitch, void* counter) {
  constexpr const char* kCall = "scratchpad_get_blocks";
  require_blocks(kCall);
  transfer({kCall, Direction::Get, main, near, bytes, counter, count, pitch});
}

void put_blocks(void* main, const void* near, std::size_t bytes, std::size_t count,
                std::size_t pitch, void* counter) {
  constexpr const char* kCall = "scratchpad_put_blocks";
  require_blocks(kCall);
  transfer({kCall, Direction::Put, main, near, bytes, counter, count, pitch});
}

void get_planes(void* near, const void* main, std::size_t bytes, std::size_t count,
                std::size_t pitch, std::size_t planes, std::size_t plane_pitch, void* counter) {
  constexpr const char* kCall = "scratchpad_get_planes";
  require_planes(kCall);
  transfer({kCall, Direction::Get, main, near, bytes, counter, count, pitch, planes, plane_pitch});
}

void put_planes(void* main, const void* near, std::size_t bytes, std::size_t count,
                std::size_t pitch, std::size_t planes, std::size_t plane_pitch, void* counter) {
  constexpr const char* kCall = "scratchpad_put_planes";
  require_planes(kCall);
  transfer({kCall, Direction::Put, main, near, bytes, counter, count, pitch, planes, plane_pitch});
}

void wait(void* counter, int count) {
  require_cpe("scratchpad_wait");
  machine().group().wait_until(as_number(counter), count);
}

void meet() {
  require_cpe("scratchpad_meet");
  machine().group().barrier(kArrayScope, 0xffff);
}

}  // namespace

Symbols scratchpad_symbols() {
  return {
      {"scratchpad_start", address_of(start)},
      {"scratchpad_finish", address_of(finish)},
      {"scratchpad_core", address_of(core)},
      {"scratchpad_cores", address_of(cores)},
      {"scratchpad_get", address_of(get)},
      {"scratchpad_put", address_of(put)},
      {"scratchpad_get_blocks", address_of(get_blocks)},
      {"scratchpad_put_blocks", address_of(put_blocks)},
      {"scratchpad_get_planes", address_of(get_planes)},
      {"scratchpad_put_planes", address_of(put_planes)},
      {"scratchpad_wait", address_of(wait)},
      {"scratchpad_meet", address_of(meet)},
  };
}

}  // namespace solway::emulator
