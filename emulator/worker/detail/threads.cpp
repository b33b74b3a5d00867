/// The threads of a core group: which CPEs run what, from athread_init to athread_halt.
#include <algorithm>
#include <cstring>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/machine.h"
#include "emulator/worker/detail/poison.h"

namespace solway::emulator {
namespace {

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

CpeSet only(int id) { return CpeSet{1} << id; }

}  // namespace

void CoreGroup::load_ldm(const Cpe& cpe) {
  const auto ldm = reinterpret_cast<std::uint64_t>(cpe.ldm);
  poison(ldm, options_.ldm_bytes);
  if (hazards_ != nullptr) hazards_->declare(ldm, options_.ldm_bytes);
  for (std::uint64_t i = 0; i < program_.ldm_object_count; ++i) {
    const LdmObjectInfo& info = program_.ldm_objects[i];
    if (info.initial == nullptr) continue;
    std::memcpy(cpe.ldm + info.offset, info.initial, info.size);
    if (hazards_ != nullptr) hazards_->define(ldm + info.offset, info.size);
  }
}

void CoreGroup::apply_initialisers() {
  for (const auto& cpe : cpes_) {
    load_ldm(*cpe);
    const auto ldm = reinterpret_cast<std::uint64_t>(cpe->ldm);
    for (std::uint64_t i = 0; i < program_.ldm_object_count; ++i) {
      const LdmObjectInfo& info = program_.ldm_objects[i];
      cpe->objects.add(ObjectKind::Ldm, ldm + info.offset, info.size, info.name, info.declared);
    }
  }
}

void CoreGroup::reload() {
  if (!loaded_) return;
  for (const auto& cpe : cpes_) {
    load_ldm(*cpe);
    cpe->heap = {};
  }
}

void CoreGroup::init() {
  if (!loaded_) apply_initialisers();
  loaded_ = true;
  initialised_ = true;
}

void CoreGroup::require_joined(const char* call) {
  if (started_ == 0) return;
  const Task& task = cpe(std::countr_zero(started_)).task;
  fault("missing_join", shared_.site, std::string(call) + " while CPE functions run",
        "the spawn at " + to_string(task.started) + " was not joined",
        std::string("call ") + task.joined_by + "() before " + call + "()", task.started);
}

void CoreGroup::halt() {
  require_joined("athread_halt");
  initialised_ = false;
  waiting_ = nullptr;
}

void CoreGroup::enter64(const WaitingCalls& calls) {
  require_initialised(calls.enter);
  waiting_ = &calls;
}

void CoreGroup::leave64(const WaitingCalls& calls) {
  require_joined(calls.leave);
  waiting_ = nullptr;
}

void CoreGroup::set_threads(int count) {
  if (count < 1 || count > options_.cores) {
    fail(
        {.kind = "program",
         .where = shared_.site,
         .what = "athread_set_num_threads(" + std::to_string(count) + ") asks for too many or none",
         .why = "a core group has " + std::to_string(options_.cores) + " CPEs",
         .fix = "ask for 1 to " + std::to_string(options_.cores)});
  }
  threads_ = count;
}

void CoreGroup::spawn(void* function, void* argument) {
  start_now(first_cpes(threads_), {function, argument, "athread_spawn", "athread_join"});
}

void CoreGroup::start_anew(int count, void* function, void* argument) {
  if (count < 1 || count > options_.cores) {
    fail({.kind = "program",
          .where = shared_.site,
          .what = "scratchpad_start of " + std::to_string(count) + " cores",
          .why = "the machine has " + std::to_string(options_.cores),
          .fix = "ask for 1 to " + std::to_string(options_.cores)});
  }
  if (loaded_ && started_ == 0) {
    for_each_cpe(first_cpes(count),
                 [&](int id) { load_ldm(*cpes_[static_cast<std::size_t>(id)]); });
  }
  init();
  machine_.forget_shared();
  start_now(first_cpes(count), {function, argument, "scratchpad_start", "scratchpad_finish"});
}

void CoreGroup::spawn_group(CpeSet cpes, void* function, void* argument) {
  if (cpes == 0) {
    fail({.kind = "program",
          .where = shared_.site,
          .what = "athread_spawn_group of no CPE",
          .why = "bit i of the mask stands for CPE i, and no bit is set",
          .fix = "set the bits of the CPEs that are to run"});
  }
  start_now(cpes, {function, argument, "athread_spawn_group", "athread_join_group"});
}

void CoreGroup::create(int id, void* function, void* argument) {
  require_id(id, "athread_create");
  start_now(only(id), {function, argument, "athread_create", "athread_wait"});
}

void CoreGroup::spawn64(const WaitingCalls& calls, void* function, void* argument) {
  if (waiting_ != &calls) {
    const std::string enter = std::string(calls.enter) + "()";
    fault("not_initialised", shared_.site, std::string(calls.spawn) + " without " + calls.enter,
          waiting_ == nullptr ? "no CPE waits for work: they have not entered it, or have left"
                              : "the CPEs wait for " + std::string(waiting_->spawn),
          "call " + enter + " after athread_init()");
  }
  start_now(first_cpes(options_.cores), {function, argument, calls.spawn, calls.join});
}

void CoreGroup::require_id(int id, const char* call) const {
  if (id >= 0 && id < options_.cores) return;
  fail({.kind = "program",
        .where = shared_.site,
        .what = std::string(call) + " of thread " + std::to_string(id),
        .why = "a core group has " + std::to_string(options_.cores) + " CPEs",
        .fix = "pass 0 to " + std::to_string(options_.cores - 1)});
}

const FunctionInfo& CoreGroup::function_at(void* address, const std::string& call) {
  for (std::uint64_t i = 0; i < program_.function_count; ++i) {
    if (program_.functions[i].address == address) return program_.functions[i];
  }
  fault("null_pointer", shared_.site, call + " of something that is no CPE function",
        "no CPE source defines a function at this address",
        "spawn a function of a CPE source by its name");
}

void CoreGroup::require_room(const Cpe& cpe, const FunctionInfo& entry) {
  const std::uint64_t heap = cpe.heap.used_bytes();
  const std::uint64_t stack = machine_.stack_in_ldm(entry);
  const std::uint64_t needed = machine_.static_ldm_bytes() + options_.reserved_bytes + heap + stack;
  if (needed <= options_.ldm_bytes) return;
  fault("stack_overflow", entry.declared,
        "the stack of '" + std::string(entry.name) + "' meets the other LDM objects",
        "static objects " + bytes_text(machine_.static_ldm_bytes()) + ", heap " + bytes_text(heap) +
            ", reserved " + bytes_text(options_.reserved_bytes) + ", stack " + bytes_text(stack) +
            " make " + bytes_text(needed) + " of " + bytes_text(options_.ldm_bytes),
        "make automatic arrays or static LDM objects smaller", shared_.site);
}

void CoreGroup::require_initialised(const char* call) {
  if (initialised_) return;
  fault("not_initialised", shared_.site, std::string(call) + " without athread_init",
        loaded_ ? "athread_halt has ended the CPEs" : "athread_init was not called",
        "call athread_init() first");
}

Task CoreGroup::task_for(CpeSet cpes, const StartCall& call) {
  const std::string what = call.call;
  require_initialised(call.call);
  if ((cpes & ended_) != 0) {
    fault("not_initialised", shared_.site, what + " on a CPE that was closed",
          "athread_end has ended CPE " + std::to_string(std::countr_zero(cpes & ended_)),
          "leave it open, or run on other CPEs");
  }
  if ((cpes & started_) != 0) {
    const int id = std::countr_zero(cpes & started_);
    const Task& task = cpe(id).task;
    fault("spawn_while_running", shared_.site, "a spawn before the join of the one before",
          "the spawn at " + to_string(task.started) + " was not joined" +
              (cpes == started_ ? "" : ", and it runs on CPE " + std::to_string(id) + " too"),
          std::string("call ") + task.joined_by + "() between the two", task.started);
  }
  const FunctionInfo& entry = function_at(call.function, what);
  for_each_cpe(cpes, [&](int id) { require_room(cpe(id), entry); });
  return {&entry, call.argument, shared_.site, call.joined_by, machine_.mpe().thread};
}

void CoreGroup::start_now(CpeSet cpes, const StartCall& call) {
  const Task task = task_for(cpes, call);
  if (clock_ != nullptr) shared_.ticks += kTicksPerCycle * clock_->figures().spawn_cycles;
  start(cpes, task);
}

void CoreGroup::start(CpeSet cpes, const Task& task) {
  for_each_cpe(cpes, [&](int id) { cpes_[static_cast<std::size_t>(id)]->task = task; });
  started_ |= cpes;
  if (clock_ != nullptr) set_main_access_time();
  if (hazards_ != nullptr) {
    hazards_->spawned(*this, cpes);
    shared_.mpe_watched = 1;
  }
  for_each_cpe(cpes, [&](int id) { start(*cpes_[static_cast<std::size_t>(id)]); });
}

void CoreGroup::start(Cpe& cpe) {
  cpe.heap.set_bounds(
      machine_.static_ldm_bytes(),
      options_.ldm_bytes - options_.reserved_bytes - machine_.stack_in_ldm(*cpe.task.entry),
      options_.heap_grain);
  cpe.frames = nullptr;
  cpe.extra_stack = 0;
  cpe.fiber.start(cpe.host_stack, cpe.host_stack_bytes, &Machine::run_fiber);
  cpe.state = CpeState::Ready;
  cpe.ticks = cpe.began = shared_.ticks;
  machine_.note_ldm_use(cpe);
}

CpeSet CoreGroup::to_join(CpeSet cpes, const char* call) {
  if (!initialised_) {
    fault("not_initialised", shared_.site, std::string(call) + " without athread_init",
          "no CPE is in use", "call athread_init() and athread_spawn() first");
  }
  return cpes & started_;
}

bool CoreGroup::have_ended(CpeSet cpes) const {
  bool all = true;
  for_each_cpe(cpes, [&](int id) { all = all && cpe(id).state == CpeState::Finished; });
  return all;
}

void CoreGroup::take_back(CpeSet cpes) {
  for_each_cpe(cpes, [&](int id) {
    Cpe& cpe = *cpes_[static_cast<std::size_t>(id)];
    cpe.state = CpeState::Idle;
    if (clock_ != nullptr) shared_.ticks = std::max(shared_.ticks, cpe.ticks);
  });
  started_ &= ~cpes;
  if (clock_ != nullptr) set_main_access_time();
  if (hazards_ == nullptr) return;
  for (RemoteCopy& copy : copies_) {
    for_each_cpe(copy.others, [&](int id) { count_there(copy, id); });
  }
  copies_.remove_if([&](const RemoteCopy& copy) { return (cpes >> copy.issuer & 1) != 0; });
  hazards_->joined(*this, cpes);
  shared_.mpe_watched = machine_.is_any_started() ? 1 : 0;
}

bool CoreGroup::join(CpeSet cpes, const char* call) {
  cpes = to_join(cpes, call);
  if (cpes == 0) return false;
  machine_.wait_on_mpe(call, " for CPEs", [&] { return have_ended(cpes); });
  take_back(cpes);
  if (clock_ != nullptr) shared_.ticks += kTicksPerCycle * clock_->figures().join_cycles;
  return true;
}

bool CoreGroup::wait(int id) {
  require_id(id, "athread_wait");
  return join(only(id), "athread_wait");
}

void CoreGroup::end(int id) {
  require_id(id, "athread_end");
  if (is_started(id)) {
    const Task& task = cpes_[static_cast<std::size_t>(id)]->task;
    fault("missing_join", shared_.site, "athread_end of a CPE whose function runs",
          "the spawn at " + to_string(task.started) + " was not joined",
          std::string("call ") + task.joined_by + "() before athread_end()", task.started);
  }
  ended_ |= only(id);
}

}  // namespace solway::emulator
