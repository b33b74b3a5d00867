#include "emulator/worker/detail/hooks.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator/worker/detail/core_group.h"

namespace solway::emulator {
namespace {

CoreGroup* machine = nullptr;
SharedState shared;

std::uint64_t as_number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

Cpe& require_cpe(const char* function) {
  if (machine->running() == nullptr) {
    fail({.kind = "program",
          .where = shared.site,
          .cause = nullptr,
          .cpe = -1,
          .what = std::string(function) + " on the MPE",
          .why = "it belongs to CPE code",
          .fix = "call it in a function that athread_spawn starts"});
  }
  return *machine->running();
}

void require_mpe(const char* function) {
  if (machine->running() == nullptr) return;
  fail({.kind = "program",
        .where = shared.site,
        .cause = nullptr,
        .cpe = machine->running()->id,
        .what = std::string(function) + " on a CPE",
        .why = "it belongs to MPE code",
        .fix = "call it in the MPE program"});
}

[[noreturn]] void bad_transfer(const std::string& what, const std::string& why,
                               const std::string& fix) {
  machine->fault("bad_transfer", shared.site, what, why, fix);
}

/// One DMA request, as both interfaces make it. `counter` 0: a null pointer was given.
void transfer(int mode, Transfer::Direction direction, std::uint64_t main, std::uint64_t ldm,
              std::int64_t bytes, std::uint64_t counter, unsigned mask, std::int64_t stride,
              std::int64_t block) {
  constexpr const char* kModes[] = {"PE_MODE", "BCAST_MODE", "ROW_MODE", "BROW_MODE", "RANK_MODE"};
  const std::string name = direction == Transfer::Direction::Get ? "a get" : "a put";
  if (mode < 0 || mode > 4) {
    bad_transfer(name + " with mode " + std::to_string(mode), "there is no such mode",
                 "use PE_MODE");
  }
  const bool is_put = direction == Transfer::Direction::Put;
  if (is_put && (mode == 1 || mode == 3)) {
    bad_transfer("a put in " + std::string(kModes[mode]), "only a get can broadcast",
                 "use PE_MODE");
  }
  if (mode == 2 || mode == 3 || (is_put && mode == kRankMode)) {
    fail({.kind = "unsupported",
          .where = shared.site,
          .cause = nullptr,
          .cpe = machine->running()->id,
          .what = name + " in " + kModes[mode] + " cannot be emulated",
          .why = "no public source says what it does",
          .fix = is_put ? "use PE_MODE on each CPE" : "use PE_MODE, BCAST_MODE or RANK_MODE"});
  }
  if (mode == kBroadcastMode && (mask & 0xff) == 0) {
    bad_transfer(name + " in BCAST_MODE with mask 0", "bit r of the mask stands for row r",
                 "pass 0xff for all rows");
  }
  if (bytes < 0 || bytes >= 1 << 24 || block < 0 || block >= 1 << 20) {
    bad_transfer(
        name + " of " + std::to_string(bytes) + " bytes in blocks of " + std::to_string(block),
        "a length is 0 to 2^24 - 1 bytes, a block 0 to 2^20 - 1", "split the transfer");
  }
  if (block == 0 && stride != 0) {
    bad_transfer(name + " with a stride of " + std::to_string(stride) + " and no block",
                 "a stride needs the block that it follows", "pass the block size too");
  }
  if (block != 0 && bytes % block != 0) {
    bad_transfer(
        name + " of " + std::to_string(bytes) + " bytes in blocks of " + std::to_string(block),
        "the length is not a multiple of the block", "move whole blocks");
  }
  if (mode == kRankMode && (block == 0 || bytes % (block * kCpeColumns) != 0)) {
    bad_transfer(name + " of " + std::to_string(bytes) + " bytes in RANK_MODE in blocks of " +
                     std::to_string(block),
                 "the blocks are dealt out to the " + std::to_string(kCpeColumns) +
                     " CPEs of the row, the same number to each",
                 "pass a block size that divides the length by a multiple of " +
                     std::to_string(kCpeColumns));
  }
  const std::int64_t each = block == 0 ? bytes : block;
  machine->issue({.direction = direction,
                  .mode = mode,
                  .main_address = main,
                  .ldm_address = ldm,
                  .bytes = static_cast<std::uint64_t>(bytes),
                  .block = static_cast<std::uint64_t>(each),
                  .pitch = each + stride,
                  .counter = counter,
                  .issued = shared.site},
                 mask);
}

void note_main_block(void* block, std::size_t bytes) {
  if (block != nullptr && bytes != 0) {
    machine->main_objects().add(ObjectKind::MainHeap, as_number(block), bytes, "malloc",
                                shared.site);
  }
}

void forget_main_block(void* block) {
  Object* const object =
      block == nullptr ? nullptr : machine->main_objects().find(as_number(block));
  if (object != nullptr && object->kind == ObjectKind::MainHeap) {
    machine->main_objects().remove(object);
  }
}

// Hooks of the instrumentation.

Object* hook_object(void* address) { return machine->object_at(as_number(address)); }

void hook_access(void* address, std::uint64_t bytes, void* root, const Site* site,
                 std::uint32_t flags) {
  machine->check_access(as_number(address), bytes, as_number(root), site, flags);
}

void hook_range(void* address, std::uint64_t bytes, void* root, const Site* site,
                std::uint32_t flags) {
  if (bytes != 0) machine->check_access(as_number(address), bytes, as_number(root), site, flags);
}

void hook_poll(void* address, std::uint64_t bytes, const Site* site) {
  machine->poll(as_number(address), bytes, site);
}

void hook_endless(const Site* site) {
  const Cpe* const cpe = machine->running();
  if (cpe != nullptr && !cpe->pending.empty()) {
    machine->fault("nonvolatile_reply", site, "the loop reads its counter once and never ends",
                   "the reply counter is not volatile, so the compiler reads it before the loop",
                   "declare the counter volatile", cpe->pending.front().issued);
  }
  machine->fault("deadlock", site, "a loop that cannot end", "nothing in it changes its condition",
                 "check the condition; what another side writes must be volatile");
}

void hook_steps(const Site* site) {
  machine->fault("deadlock", site, "the step budget is used up",
                 "the program has run through more loop iterations than the run allows",
                 "check that this loop ends, or give the run a larger step budget");
}

void hook_frame_mark(std::uint64_t* mark) { machine->mark_frame(mark); }
void hook_frame_reset(const std::uint64_t* mark) { machine->reset_frame(mark); }

void hook_frame_push(Object* object, void* address, std::uint64_t bytes, const char* name,
                     const Site* declared) {
  machine->push_frame(object, as_number(address), bytes, name, declared);
}

void hook_grow_stack(std::uint64_t bytes, const Site* site) { machine->grow_stack(bytes, site); }

std::uint32_t hook_hazard_load(void* address, std::uint64_t bytes, const Site* site,
                               std::uint32_t flags) {
  return machine->hazards().load(as_number(address), bytes, site, flags) ? 1 : 0;
}

void hook_hazard_store(void* address, std::uint64_t bytes, const Site* site) {
  machine->hazards().store(as_number(address), bytes, site);
}

void hook_hazard_main(void* address, std::uint64_t bytes, Object* object, const Site* site,
                      std::uint32_t flags) {
  machine->hazards().main(as_number(address), bytes, object, site, (flags & kAccessStore) != 0);
}

void hook_hazard_range(void* address, std::uint64_t bytes, const Site* site, std::uint32_t flags) {
  if (bytes == 0) return;
  machine->hazards().access(as_number(address), bytes, site, (flags & kAccessStore) != 0);
}

void hook_hazard_copy(void* to, void* from, std::uint64_t bytes, const Site* site) {
  if (bytes != 0) machine->hazards().copy(as_number(to), as_number(from), bytes, site);
}

void hook_volatile(void* address, std::uint64_t bytes) {
  machine->read_volatile(as_number(address), bytes);
}

void hook_unwritten_used(void* address, std::uint64_t bytes, const Site* site) {
  machine->hazards().unwritten_used(as_number(address), bytes, site);
}

void hook_unwritten_stored(void* address, std::uint64_t bytes, void* from, const Site* site) {
  machine->hazards().unwritten_stored(as_number(address), bytes, as_number(from), site);
}

void hook_misaligned(void* address, std::uint64_t align, const Site* site) {
  machine->hazards().misaligned(as_number(address), align, site);
}

// The athread interface of the MPE.

int mpe_init() {
  require_mpe("athread_init");
  machine->init();
  return 0;
}

int mpe_spawn(void* function, void* argument) {
  require_mpe("athread_spawn");
  machine->spawn(function, argument);
  return 0;
}

/// What the calls of the MPE return where nothing is to be done, as errno.h numbers it.
constexpr int kNothingRuns = -EINVAL;
constexpr int kNoSuchThread = -ESRCH;

int mpe_join() {
  require_mpe("athread_join");
  return machine->join(~CpeSet{0}, "athread_join") ? 0 : kNothingRuns;
}

int mpe_spawn_group(unsigned long mask, void* function, void* argument) {
  require_mpe("athread_spawn_group");
  machine->spawn_group(mask, function, argument);
  return 0;
}

int mpe_join_group(unsigned long mask) {
  require_mpe("athread_join_group");
  return machine->join(mask, "athread_join_group") ? 0 : kNothingRuns;
}

int mpe_create(int id, void* function, void* argument) {
  require_mpe("athread_create");
  machine->create(id, function, argument);
  return 0;
}

int mpe_wait(int id) {
  require_mpe("athread_wait");
  return machine->wait(id) ? 0 : kNoSuchThread;
}

int mpe_end(int id) {
  require_mpe("athread_end");
  machine->end(id);
  return 0;
}

/// The CPEs that could run something, or 0 while one runs.
unsigned long mpe_idle() {
  require_mpe("athread_idle");
  return machine->started() != 0 ? 0 : ~CpeSet{0} >> (kCpes - machine->threads());
}

int mpe_halt() {
  require_mpe("athread_halt");
  machine->halt();
  return 0;
}

int mpe_max_threads() { return kCpes; }
int mpe_num_threads() { return machine->threads(); }

int mpe_set_threads(int count) {
  require_mpe("athread_set_num_threads");
  machine->set_threads(count);
  return 0;
}

// The CPE side.

int cpe_id() { return require_cpe("_MYID").id; }
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
  transfer(mode, Transfer::Direction::Get, as_number(source), as_number(destination), bytes,
           as_number(reply), static_cast<unsigned char>(mask), stride, block);
  return 0;
}

int cpe_put(int mode, void* source, void* destination, int bytes, void* reply, int stride,
            int block) {
  require_cpe("athread_put");
  transfer(mode, Transfer::Direction::Put, as_number(destination), as_number(source), bytes,
           as_number(reply), 0, stride, block);
  return 0;
}

void cpe_dma_barrier() {
  require_cpe("athread_dma_barrier");
  machine->land_all();
}

int cpe_syn(int scope, int mask) {
  require_cpe("athread_syn");
  machine->barrier(scope, mask);
  return 0;
}

void cpe_putr(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, int to) {
  require_cpe("simd_putr");
  machine->put_register(RegisterLine::Row, to, {a, b, c, d});
}

void cpe_putc(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, int to) {
  require_cpe("simd_putc");
  machine->put_register(RegisterLine::Column, to, {a, b, c, d});
}

void cpe_getr() {
  require_cpe("simd_getr");
  machine->get_register(RegisterLine::Row);
}

void cpe_getc() {
  require_cpe("simd_getc");
  machine->get_register(RegisterLine::Column);
}

/// 64 bits of the message that was taken last.
std::uint64_t cpe_message(int lane) {
  return require_cpe("simd_getr").message[static_cast<std::size_t>(lane)];
}

void* cpe_ldm_malloc(std::size_t bytes) {
  require_cpe("ldm_malloc");
  return machine->ldm_malloc(bytes);
}

void cpe_ldm_free(void* block, std::size_t) {
  require_cpe("ldm_free");
  machine->ldm_free(as_number(block));
}

std::size_t cpe_allocatable() { return require_cpe("get_allocatable_size").heap.largest_free(); }

/// A descriptor keeps the counter's address as a distance from the LDM; the CPE's stack is near.
int cpe_reply_offset(void* reply) {
  const Cpe& cpe = require_cpe("dma_set_reply");
  const auto distance = static_cast<std::int64_t>(as_number(reply) - as_number(cpe.ldm));
  if (distance > 1 << 20 || distance < -(1 << 20)) {
    bad_transfer("a reply counter that is not in the LDM",
                 "its address belongs to main memory, or to another CPE",
                 "make the counter __thread_local");
  }
  return static_cast<int>(distance);
}

void cpe_dma(int mode, int op, long main, long ldm, int bytes, int reply, int mask, int stride,
             int block) {
  const Cpe& cpe = require_cpe("dma");
  if (op != 0 && op != 1) {
    fail({.kind = "unsupported",
          .where = shared.site,
          .cause = nullptr,
          .cpe = cpe.id,
          .what = "dma() with operation " + std::to_string(op) + " cannot be emulated",
          .why = "the emulator knows DMA_PUT and DMA_GET",
          .fix = "set one of these with dma_set_op"});
  }
  transfer(mode, op == 1 ? Transfer::Direction::Get : Transfer::Direction::Put,
           static_cast<std::uint64_t>(main), static_cast<std::uint64_t>(ldm), bytes,
           as_number(cpe.ldm + reply), static_cast<unsigned>(mask), stride, block);
}

void cpe_dma_wait(void* reply, int count) {
  require_cpe("dma_wait");
  machine->wait_for(as_number(reply), static_cast<std::uint32_t>(count));
}

// C functions whose blocks are objects.

void* watched_malloc(std::size_t bytes) {
  void* const block = std::malloc(bytes);
  note_main_block(block, bytes);
  return block;
}

void* watched_calloc(std::size_t count, std::size_t each) {
  void* const block = std::calloc(count, each);
  note_main_block(block, count * each);
  return block;
}

void* watched_aligned_alloc(std::size_t align, std::size_t bytes) {
  void* const block = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  note_main_block(block, bytes);
  return block;
}

int watched_posix_memalign(void** block, std::size_t align, std::size_t bytes) {
  const int result = posix_memalign(block, align, bytes);
  if (result == 0) note_main_block(*block, bytes);
  return result;
}

void watched_free(void* block) {
  forget_main_block(block);
  std::free(block);
}

void* watched_realloc(void* old, std::size_t bytes) {
  forget_main_block(old);
  void* const block = std::realloc(old, bytes);
  note_main_block(block, bytes);
  return block;
}

}  // namespace

SharedState& shared_state() { return shared; }
void set_machine(CoreGroup* group) { machine = group; }

std::vector<std::pair<std::string, void*>> hook_symbols() {
  const auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
  return {
      {"solway_shared", &shared},
      {"solway_object", address(hook_object)},
      {"solway_access", address(hook_access)},
      {"solway_range", address(hook_range)},
      {"solway_poll", address(hook_poll)},
      {"solway_endless", address(hook_endless)},
      {"solway_steps", address(hook_steps)},
      {"solway_frame_mark", address(hook_frame_mark)},
      {"solway_frame_reset", address(hook_frame_reset)},
      {"solway_frame_push", address(hook_frame_push)},
      {"solway_grow_stack", address(hook_grow_stack)},
      {"solway_volatile", address(hook_volatile)},
      {"solway_hazard_load", address(hook_hazard_load)},
      {"solway_hazard_store", address(hook_hazard_store)},
      {"solway_hazard_main", address(hook_hazard_main)},
      {"solway_hazard_range", address(hook_hazard_range)},
      {"solway_hazard_copy", address(hook_hazard_copy)},
      {"solway_unwritten_used", address(hook_unwritten_used)},
      {"solway_unwritten_stored", address(hook_unwritten_stored)},
      {"solway_misaligned", address(hook_misaligned)},
      {"athread_init", address(mpe_init)},
      {"__real_athread_spawn", address(mpe_spawn)},
      {"athread_join", address(mpe_join)},
      {"__real_athread_spawn_group", address(mpe_spawn_group)},
      {"athread_join_group", address(mpe_join_group)},
      {"__real_athread_create", address(mpe_create)},
      {"athread_wait", address(mpe_wait)},
      {"athread_end", address(mpe_end)},
      {"athread_idle", address(mpe_idle)},
      {"athread_halt", address(mpe_halt)},
      {"athread_get_max_threads", address(mpe_max_threads)},
      {"athread_get_num_threads", address(mpe_num_threads)},
      {"athread_set_num_threads", address(mpe_set_threads)},
      {"__solway_cpe_id", address(cpe_id)},
      {"athread_get_id", address(cpe_get_id)},
      {"athread_get_core", address(cpe_get_core)},
      {"athread_get", address(cpe_get)},
      {"athread_put", address(cpe_put)},
      {"athread_dma_barrier", address(cpe_dma_barrier)},
      {"athread_syn", address(cpe_syn)},
      {"__solway_putr", address(cpe_putr)},
      {"__solway_putc", address(cpe_putc)},
      {"__solway_getr", address(cpe_getr)},
      {"__solway_getc", address(cpe_getc)},
      {"__solway_message", address(cpe_message)},
      {"ldm_malloc", address(cpe_ldm_malloc)},
      {"ldm_free", address(cpe_ldm_free)},
      {"get_allocatable_size", address(cpe_allocatable)},
      {"__solway_reply_offset", address(cpe_reply_offset)},
      {"__solway_dma", address(cpe_dma)},
      {"__solway_dma_wait", address(cpe_dma_wait)},
      {"malloc", address(watched_malloc)},
      {"calloc", address(watched_calloc)},
      {"aligned_alloc", address(watched_aligned_alloc)},
      {"memalign", address(watched_aligned_alloc)},
      {"posix_memalign", address(watched_posix_memalign)},
      {"realloc", address(watched_realloc)},
      {"free", address(watched_free)},
  };
}

}  // namespace solway::emulator
