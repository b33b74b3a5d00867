#include "emulator/worker/detail/hooks.h"

namespace solway::emulator {
namespace {

Machine* present = nullptr;
SharedState shared;

Object* hook_object(void* address) { return present->object_at(as_number(address)); }

void hook_access(void* address, std::uint64_t bytes, void* root, const Site* site,
                 std::uint32_t flags) {
  present->check_access(as_number(address), bytes, as_number(root), site, flags);
}

void hook_range(void* address, std::uint64_t bytes, void* root, const Site* site,
                std::uint32_t flags) {
  if (bytes != 0) present->check_access(as_number(address), bytes, as_number(root), site, flags);
}

void hook_poll(void* address, std::uint64_t bytes, const Site* site) {
  present->poll(as_number(address), bytes, site);
}

void hook_endless(const Site* site) {
  const Cpe* const cpe = present->running();
  if (cpe != nullptr && !cpe->pending.empty()) {
    present->fault("nonvolatile_reply", site, "the loop reads its counter once and never ends",
                   "the reply counter is not volatile, so the compiler reads it before the loop",
                   "declare the counter volatile", cpe->pending.front().issued);
  }
  present->fault("deadlock", site, "a loop that cannot end", "nothing in it changes its condition",
                 "check the condition; what another side writes must be volatile");
}

void hook_steps(const Site* site) {
  present->fault("deadlock", site, "the step budget is used up",
                 "the program has run through more loop iterations than the run allows",
                 "check that this loop ends, or give the run a larger step budget");
}

void hook_frame_mark(std::uint64_t* mark) { present->mark_frame(mark); }
void hook_frame_reset(const std::uint64_t* mark) { present->reset_frame(mark); }

void hook_frame_push(Object* object, void* address, std::uint64_t bytes, const char* name,
                     const Site* declared) {
  present->push_frame(object, as_number(address), bytes, name, declared);
}

void hook_grow_stack(std::uint64_t bytes, const Site* site) { present->grow_stack(bytes, site); }

void hook_fetch_code(std::int64_t address, std::int64_t bytes) {
  present->fetch_code(address, bytes);
}

std::uint32_t hook_hazard_load(void* address, std::uint64_t bytes, const Site* site,
                               std::uint32_t flags) {
  return present->hazards().load(as_number(address), bytes, site, flags) ? 1 : 0;
}

void hook_hazard_store(void* address, std::uint64_t bytes, const Site* site) {
  present->hazards().store(as_number(address), bytes, site);
}

void hook_hazard_main(void* address, std::uint64_t bytes, Object* object, const Site* site,
                      std::uint32_t flags) {
  present->hazards().main(as_number(address), bytes, object, site, (flags & kAccessStore) != 0);
}

void hook_hazard_range(void* address, std::uint64_t bytes, const Site* site, std::uint32_t flags) {
  if (bytes == 0) return;
  present->hazards().access(as_number(address), bytes, site, (flags & kAccessStore) != 0);
}

void hook_hazard_copy(void* to, void* from, std::uint64_t bytes, const Site* site) {
  if (bytes != 0) present->hazards().copy(as_number(to), as_number(from), bytes, site);
}

void hook_volatile(void* address, std::uint64_t bytes) {
  const Cpe* const cpe = present->running();
  if (cpe != nullptr) cpe->group->read_volatile(as_number(address), bytes);
}

void hook_unwritten_used(void* address, std::uint64_t bytes, const Site* site) {
  present->hazards().unwritten_used(as_number(address), bytes, site);
}

void hook_unwritten_stored(void* address, std::uint64_t bytes, void* from, const Site* site) {
  present->hazards().unwritten_stored(as_number(address), bytes, as_number(from), site);
}

void hook_misaligned(void* address, std::uint64_t align, const Site* site) {
  present->hazards().misaligned(as_number(address), align, site);
}

}  // namespace

SharedState& shared_state() { return shared; }
void set_machine(Machine* machine) { present = machine; }
Machine& machine() { return *present; }

Symbols hook_symbols() {
  return {
      {"solway_shared", &shared},
      {"solway_object", address_of(hook_object)},
      {"solway_access", address_of(hook_access)},
      {"solway_range", address_of(hook_range)},
      {"solway_poll", address_of(hook_poll)},
      {"solway_endless", address_of(hook_endless)},
      {"solway_steps", address_of(hook_steps)},
      {"solway_frame_mark", address_of(hook_frame_mark)},
      {"solway_frame_reset", address_of(hook_frame_reset)},
      {"solway_frame_push", address_of(hook_frame_push)},
      {"solway_grow_stack", address_of(hook_grow_stack)},
      {"solway_volatile", address_of(hook_volatile)},
      {"solway_fetch_code", address_of(hook_fetch_code)},
      {"solway_hazard_load", address_of(hook_hazard_load)},
      {"solway_hazard_store", address_of(hook_hazard_store)},
      {"solway_hazard_main", address_of(hook_hazard_main)},
      {"solway_hazard_range", address_of(hook_hazard_range)},
      {"solway_hazard_copy", address_of(hook_hazard_copy)},
      {"solway_unwritten_used", address_of(hook_unwritten_used)},
      {"solway_unwritten_stored", address_of(hook_unwritten_stored)},
      {"solway_misaligned", address_of(hook_misaligned)},
  };
}

}  // namespace solway::emulator
