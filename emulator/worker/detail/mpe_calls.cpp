#include "emulator/worker/detail/mpe_calls.h"

#include <cerrno>
#include <string>

#include "emulator/worker/detail/machine.h"

namespace solway::emulator {
namespace {

int mpe_init() {
  require_mpe("athread_init");
  machine().init_mpe();
  return 0;
}

int mpe_spawn(void* function, void* argument) {
  require_mpe("athread_spawn");
  machine().mpe_group("athread_spawn").spawn(function, argument);
  return 0;
}

/// What the calls of the MPE return where nothing is to be done, as errno.h numbers it.
constexpr int kNothingRuns = -EINVAL;
constexpr int kNoSuchThread = -ESRCH;

int mpe_join() {
  require_mpe("athread_join");
  return machine().mpe_group("athread_join").join(~CpeSet{0}, "athread_join") ? 0 : kNothingRuns;
}

int mpe_init_groups() {
  require_mpe("athread_init_cgs");
  machine().init_groups();
  return 0;
}

int mpe_spawn_groups(void* function, void* argument) {
  require_mpe("athread_spawn_cgs");
  machine().spawn_groups(Machine::kAllGroups,
                         {function, argument, "athread_spawn_cgs", "athread_join_cgs"});
  return 0;
}

int mpe_join_groups() {
  require_mpe("athread_join_cgs");
  return machine().join_groups(Machine::kAllGroups, "athread_join_cgs") ? 0 : kNothingRuns;
}

int mpe_spawn_some(int mask, void* function, void* argument) {
  require_mpe("athread_spawn_cgmask");
  machine().spawn_groups(static_cast<unsigned>(mask),
                         {function, argument, "athread_spawn_cgmask", "athread_join_cgmask"});
  return 0;
}

int mpe_join_some(int mask) {
  require_mpe("athread_join_cgmask");
  return machine().join_groups(static_cast<unsigned>(mask), "athread_join_cgmask") ? 0
                                                                                   : kNothingRuns;
}

int mpe_spawn_group(unsigned long mask, void* function, void* argument) {
  require_mpe("athread_spawn_group");
  machine().mpe_group("athread_spawn_group").spawn_group(mask, function, argument);
  return 0;
}

int mpe_join_group(unsigned long mask) {
  require_mpe("athread_join_group");
  return machine().mpe_group("athread_join_group").join(mask, "athread_join_group") ? 0
                                                                                    : kNothingRuns;
}

int mpe_create(int id, void* function, void* argument) {
  require_mpe("athread_create");
  machine().mpe_group("athread_create").create(id, function, argument);
  return 0;
}

int mpe_wait(int id) {
  require_mpe("athread_wait");
  return machine().mpe_group("athread_wait").wait(id) ? 0 : kNoSuchThread;
}

int mpe_end(int id) {
  require_mpe("athread_end");
  machine().mpe_group("athread_end").end(id);
  return 0;
}

constexpr WaitingCalls kSpawn64{"athread_enter64", "athread_leave64", "athread_spawn64",
                                "athread_join64"};
constexpr WaitingCalls kSpawn64Arg{"athread_enter64_arg", "athread_leave64_arg",
                                   "athread_spawn64_arg", "athread_join64_arg"};

template <const WaitingCalls& calls>
int mpe_enter64() {
  require_mpe(calls.enter);
  machine().mpe_group(calls.enter).enter64(calls);
  return 0;
}

template <const WaitingCalls& calls>
int mpe_spawn64(void* function, void* argument) {
  require_mpe(calls.spawn);
  machine().mpe_group(calls.spawn).spawn64(calls, function, argument);
  return 0;
}

template <const WaitingCalls& calls>
int mpe_join64() {
  require_mpe(calls.join);
  return machine().mpe_group(calls.join).join(~CpeSet{0}, calls.join) ? 0 : kNothingRuns;
}

template <const WaitingCalls& calls>
int mpe_leave64() {
  require_mpe(calls.leave);
  machine().mpe_group(calls.leave).leave64(calls);
  return 0;
}

/// The CPEs that could run something: 0 while one runs, and before athread_init, by which public
/// programs tell whether they have to call it.
unsigned long mpe_idle() {
  require_mpe("athread_idle");
  const CoreGroup* const group = machine().try_mpe_group();
  if (group == nullptr || !group->is_initialised() || group->started() != 0) return 0;
  return first_cpes(group->threads());
}

int mpe_halt() {
  require_mpe("athread_halt");
  machine().mpe_group("athread_halt").halt();
  return 0;
}

int mpe_max_threads() { return machine().options().cores; }
int mpe_num_threads() {
  require_mpe("athread_get_num_threads");
  return machine().mpe_group("athread_get_num_threads").threads();
}

int mpe_set_threads(int count) {
  require_mpe("athread_set_num_threads");
  machine().mpe_group("athread_set_num_threads").set_threads(count);
  return 0;
}

}  // namespace

void require_mpe(const char* function) {
  if (machine().running() == nullptr) return;
  fail({.kind = "program",
        .where = shared_state().site,
        .cause = nullptr,
        .cpe = machine().running()->id,
        .what = std::string(function) + " on a CPE",
        .why = "it belongs to MPE code",
        .fix = "call it in the MPE program"});
}

Symbols mpe_symbols() {
  return {
      {"athread_init", address_of(mpe_init)},
      {"__real_athread_spawn", address_of(mpe_spawn)},
      {"athread_join", address_of(mpe_join)},
      {"athread_init_cgs", address_of(mpe_init_groups)},
      {"__real_athread_spawn_cgs", address_of(mpe_spawn_groups)},
      {"athread_join_cgs", address_of(mpe_join_groups)},
      {"__real_athread_spawn_cgmask", address_of(mpe_spawn_some)},
      {"athread_join_cgmask", address_of(mpe_join_some)},
      {"__real_athread_spawn_group", address_of(mpe_spawn_group)},
      {"athread_join_group", address_of(mpe_join_group)},
      {"__real_athread_create", address_of(mpe_create)},
      {"athread_wait", address_of(mpe_wait)},
      {"athread_end", address_of(mpe_end)},
      {"athread_enter64", address_of(mpe_enter64<kSpawn64>)},
      {"__solway_spawn64", address_of(mpe_spawn64<kSpawn64>)},
      {"athread_join64", address_of(mpe_join64<kSpawn64>)},
      {"athread_leave64", address_of(mpe_leave64<kSpawn64>)},
      {"athread_enter64_arg", address_of(mpe_enter64<kSpawn64Arg>)},
      {"__real_athread_spawn64_arg", address_of(mpe_spawn64<kSpawn64Arg>)},
      {"athread_join64_arg", address_of(mpe_join64<kSpawn64Arg>)},
      {"athread_leave64_arg", address_of(mpe_leave64<kSpawn64Arg>)},
      {"athread_idle", address_of(mpe_idle)},
      {"athread_halt", address_of(mpe_halt)},
      {"athread_get_max_threads", address_of(mpe_max_threads)},
      {"athread_get_num_threads", address_of(mpe_num_threads)},
      {"athread_set_num_threads", address_of(mpe_set_threads)},
  };
}

}  // namespace solway::emulator
