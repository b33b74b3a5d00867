#include "emulator/worker/detail/athread_calls.h"

#include <string>

#include "emulator/worker/detail/dma_request.h"
#include "emulator/worker/detail/rma_request.h"

namespace solway::emulator {
namespace {

// Both sides.

std::uint64_t cycles() { return machine().cycles(); }

// The CPE side.

int cpe_id() { return require_cpe("_MYID").id; }
int cpe_group() { return require_cpe("_CGN").group->number(); }
/// Threads and CPEs have the same numbers; -1 stands for the caller's.
int cpe_get_id(int core) {
  const int id = require_cpe("athread_get_id").id;
  return core == -1 ? id : core;
}
int cpe_get_core(int thread) {
  const int id = require_cpe("athread_get_core").id;
  return thread == -1 ? id : thread;
}

int cpe_get(int mode, void* source, void* destination, int bytes, void* reply, char mask,
            int stride, int block) {
  require_cpe("athread_get");
  issue(machine().group(), {.direction = Transfer::Direction::Get,
                            .mode = mode,
                            .main = as_number(source),
                            .ldm = as_number(destination),
                            .bytes = bytes,
                            .counter = as_number(reply),
                            .mask = static_cast<unsigned char>(mask),
                            .stride = stride,
                            .block = block,
                            .site = shared_state().site});
  return 0;
}

int cpe_put(int mode, void* source, void* destination, int bytes, void* reply, int stride,
            int block) {
  require_cpe("athread_put");
  issue(machine().group(), {.direction = Transfer::Direction::Put,
                            .mode = mode,
                            .main = as_number(destination),
                            .ldm = as_number(source),
                            .bytes = bytes,
                            .counter = as_number(reply),
                            .mask = 0,
                            .stride = stride,
                            .block = block,
                            .site = shared_state().site});
  return 0;
}

void cpe_dma_barrier() {
  require_cpe("athread_dma_barrier");
  machine().group().land_all();
}

int cpe_barrier(int scope, int mask) {
  require_cpe("athread_ssync");
  machine().group().barrier(scope, mask);
  return 0;
}

int cpe_lock(void* word) {
  require_cpe("athread_lock");
  machine().lock(as_number(word));
  return 0;
}

int cpe_unlock(void* word) {
  require_cpe("athread_unlock");
  machine().unlock(as_number(word));
  return 0;
}

long cpe_fetch_add(void* word) {
  require_cpe("faal");
  return machine().fetch_add(as_number(word));
}

void cpe_rma_barrier() {
  require_cpe("athread_rma_barrier");
  machine().group().land_copies();
}

int cpe_rma(int operation, int other, void* here, void* there, int bytes, void* local_counter,
            void* remote_counter, int whom, int mask) {
  const Cpe& cpe = require_cpe("RMA");
  issue(machine().group(), cpe,
        {.operation = operation,
         .other = other,
         .here = as_number(here),
         .there = as_number(there),
         .bytes = bytes,
         .local_counter = as_number(local_counter),
         .remote_counter = as_number(remote_counter),
         .whom = whom,
         .mask = mask,
         .site = shared_state().site});
  return 0;
}

int cpe_syn(int scope, int mask) {
  require_cpe("athread_syn");
  machine().group().barrier(scope, mask);
  return 0;
}

void cpe_putr(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, int to) {
  require_cpe("simd_putr");
  machine().group().put_register(RegisterLine::Row, to, {a, b, c, d});
}

void cpe_putc(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, int to) {
  require_cpe("simd_putc");
  machine().group().put_register(RegisterLine::Column, to, {a, b, c, d});
}

void cpe_getr() {
  require_cpe("simd_getr");
  machine().group().get_register(RegisterLine::Row);
}

void cpe_getc() {
  require_cpe("simd_getc");
  machine().group().get_register(RegisterLine::Column);
}

/// 64 bits of the message that was taken last.
std::uint64_t cpe_message(int lane) {
  return require_cpe("simd_getr").message[static_cast<std::size_t>(lane)];
}

void* cpe_ldm_malloc(std::size_t bytes) {
  require_cpe("ldm_malloc");
  return machine().ldm_malloc(bytes);
}

void cpe_ldm_free(void* block, std::size_t) {
  require_cpe("ldm_free");
  machine().ldm_free(as_number(block));
}

std::size_t cpe_allocatable() { return require_cpe("get_allocatable_size").heap.largest_free(); }

/// A descriptor keeps the counter's address as a distance from the LDM; the CPE's stack is near.
int cpe_reply_offset(void* reply) {
  const Cpe& cpe = require_cpe("dma_set_reply");
  const auto distance = static_cast<std::int64_t>(as_number(reply) - as_number(cpe.ldm));
  if (distance > 1 << 20 || distance < -(1 << 20)) {
    machine().fault("bad_transfer", shared_state().site, "a reply counter that is not in the LDM",
                    "its address belongs to main memory, or to another CPE",
                    "make the counter __thread_local");
  }
  return static_cast<int>(distance);
}

void cpe_dma(int mode, int op, long main, long ldm, int bytes, int reply, int mask, int stride,
             int block) {
  const Cpe& cpe = require_cpe("dma");
  if (op != kPutOperation && op != kGetOperation) {
    fail({.kind = "unsupported",
          .where = shared_state().site,
          .cause = nullptr,
          .cpe = cpe.id,
          .what = "dma() with operation " + std::to_string(op) + " cannot be emulated",
          .why = "the emulator knows DMA_PUT and DMA_GET",
          .fix = "set one of these with dma_set_op"});
  }
  issue(machine().group(),
        {.direction = op == kGetOperation ? Transfer::Direction::Get : Transfer::Direction::Put,
         .mode = mode,
         .main = static_cast<std::uint64_t>(main),
         .ldm = static_cast<std::uint64_t>(ldm),
         .bytes = bytes,
         .counter = as_number(cpe.ldm + reply),
         .mask = static_cast<unsigned>(mask),
         .stride = stride,
         .block = block,
         .site = shared_state().site});
}

void cpe_dma_wait(void* reply, int count) {
  require_cpe("dma_wait");
  machine().group().wait_for(as_number(reply), static_cast<std::uint32_t>(count));
}

void cpe_no_reduction(int type, int operation) {
  fail({.kind = "unsupported",
        .where = shared_state().site,
        .cause = nullptr,
        .cpe = require_cpe("athread_redurt").id,
        .what = "athread_redurt with operation " + std::to_string(operation) + " on type " +
                std::to_string(type) + " cannot be emulated",
        .why = "OP_add, OP_min and OP_max are there for the types of crts.h; OP_and, OP_or, OP_xor "
               "and OP_eqv for those of integers",
        .fix = "use one of these"});
}

}  // namespace

Cpe& require_cpe(const char* function) {
  if (machine().running() == nullptr) {
    fail({.kind = "program",
          .where = shared_state().site,
          .cause = nullptr,
          .cpe = -1,
          .what = std::string(function) + " on the MPE",
          .why = "it belongs to CPE code",
          .fix = "call it in a function that athread_spawn starts"});
  }
  return *machine().running();
}

Symbols athread_symbols() {
  return {
      {"__solway_cycles", address_of(cycles)},
      {"__solway_cpe_id", address_of(cpe_id)},
      {"__solway_cpe_group", address_of(cpe_group)},
      {"athread_get_id", address_of(cpe_get_id)},
      {"athread_get_core", address_of(cpe_get_core)},
      {"athread_get", address_of(cpe_get)},
      {"athread_put", address_of(cpe_put)},
      {"athread_dma_barrier", address_of(cpe_dma_barrier)},
      {"athread_syn", address_of(cpe_syn)},
      {"__solway_putr", address_of(cpe_putr)},
      {"__solway_putc", address_of(cpe_putc)},
      {"__solway_getr", address_of(cpe_getr)},
      {"__solway_getc", address_of(cpe_getc)},
      {"__solway_message", address_of(cpe_message)},
      {"ldm_malloc", address_of(cpe_ldm_malloc)},
      {"ldm_free", address_of(cpe_ldm_free)},
      {"get_allocatable_size", address_of(cpe_allocatable)},
      {"__solway_reply_offset", address_of(cpe_reply_offset)},
      {"__solway_dma", address_of(cpe_dma)},
      {"__solway_dma_wait", address_of(cpe_dma_wait)},
      {"__solway_barrier", address_of(cpe_barrier)},
      {"__solway_lock", address_of(cpe_lock)},
      {"__solway_unlock", address_of(cpe_unlock)},
      {"__solway_fetch_add", address_of(cpe_fetch_add)},
      {"__solway_rma_request", address_of(cpe_rma)},
      {"athread_rma_barrier", address_of(cpe_rma_barrier)},
      {"__solway_no_reduction", address_of(cpe_no_reduction)},
  };
}

}  // namespace solway::emulator
