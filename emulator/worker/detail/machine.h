#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/cpe.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/hazards.h"
#include "emulator/worker/detail/machine_options.h"
#include "emulator/worker/detail/mpe_thread.h"
#include "emulator/worker/detail/shared_state.h"
#include "emulator/worker/timeline_recorder.h"

namespace solway::emulator {

/// The machine that one program runs on: its core groups, of which those are there that the program
/// uses, the main memory that they share, and who of all of them runs. The MPE is the caller; CPEs
/// are fibers that run to their next blocking point in an order that the seed fixes. Every method
/// that finds a fault ends the process with `fail`.
class Machine {
 public:
  Machine(const MachineOptions& options, const Program& program, SharedState& shared);

  /// Made when it is first asked for.
  CoreGroup& group(int number);
  /// That of the running CPE.
  CoreGroup& group() { return *running_->group; }
  /// That of the running thread of the MPE; fails when it has none. `call`: what the program wrote.
  CoreGroup& mpe_group(const char* call);
  /// The same; null when it has none.
  const CoreGroup* try_mpe_group() const { return mpe_->group; }
  /// Those that are there.
  const std::vector<CoreGroup*>& groups() const { return present_; }
  /// Whether CPEs are named with their groups.
  bool has_several_groups() const { return present_.size() > 1; }

  /// athread_init of the running thread of the MPE, which then has a group.
  void init_mpe();
  // The athread interface of the MPE for several groups; bit i of a set stands for group i.
  static constexpr unsigned kAllGroups = (1U << kMostGroups) - 1;
  void init_groups();
  void spawn_groups(unsigned groups, const StartCall& call);
  /// Waits for all CPEs of the groups that run; false when none does.
  bool join_groups(unsigned groups, const char* call);
  /// The entry has returned: nothing may be running.
  void finish();
  bool is_any_started() const;

  // Threads of the MPE, as pthread.h has them.
  /// Its number.
  int create_mpe_thread(void* (*function)(void*), void* argument);
  /// What it returned.
  void* join_mpe_thread(int number);
  /// Ends the running one.
  void exit_mpe_thread(void* result);
  const MpeThread& mpe() const { return *mpe_; }
  void lock_mutex(std::uint64_t address);
  bool try_lock_mutex(std::uint64_t address);
  void unlock_mutex(std::uint64_t address);
  void init_barrier(std::uint64_t address, unsigned count);
  /// True for the last one that comes.
  bool meet_mpe_threads(std::uint64_t address);
  /// The running thread of the MPE waits in `call` until `can_go`; `what` it waits for, behind
  /// that: " for CPEs".
  void wait_on_mpe(const char* call, const std::string& what, const std::function<bool()>& can_go);

  // Who runs.
  /// What the fiber of a CPE calls.
  static void run_fiber();
  /// Null while the MPE does.
  Cpe* running() { return running_; }
  /// Runs CPEs and the other threads of the MPE until none can; false when nothing ran at all.
  bool run_ready();
  /// The running CPE stands still until something makes it ready.
  void block(Cpe& cpe, CpeState state, Wait wait);
  /// `block`, and the time until it goes on is lost to `stall`.
  void stall(Cpe& cpe, Stall stall, Wait wait);
  /// Lets the other CPEs run as far as they can while this one stands still.
  void let_others_go_on();
  /// `cpe` may go on, not before the time of the running processor.
  void wake(Cpe& cpe);
  /// Another CPE than the running one can go on at its time.
  void note_ready(const Cpe& cpe) { next_turn_ = std::min(next_turn_, cpe.ticks); }
  /// In timed mode the running CPE is about to do what others see: those that are earlier go first.
  void take_turn();
  [[noreturn]] void report_deadlock(const char* who);
  /// A loop without effects reads [address, address + bytes) again.
  void poll(std::uint64_t address, std::uint64_t bytes, const Site* site);
  // Of the running CPE, on a word of main memory.
  void lock(std::uint64_t address);
  void unlock(std::uint64_t address);
  /// Adds 1 at once, and gives what was there.
  std::int64_t fetch_add(std::uint64_t address);
  /// In timed mode: the running CPE goes on once it has this code.
  void fetch_code(std::int64_t address, std::int64_t bytes);
  /// The cycle counter of the running processor; but in timed mode it counts its readings.
  std::uint64_t cycles();

  // Memory.
  ObjectTable& main_objects() { return main_objects_; }
  /// The object that holds `address` for the running thread; never null.
  Object* object_at(std::uint64_t address);
  /// An object in the memory of `cpe`; null: none.
  static Object* ldm_object(Cpe& cpe, std::uint64_t address);
  void check_access(std::uint64_t address, std::uint64_t bytes, std::uint64_t root,
                    const Site* site, std::uint32_t flags);
  void push_frame(Object* object, std::uint64_t address, std::uint64_t bytes, const char* name,
                  const Site* declared);
  /// Saves, and restores at the function's end, what `push_frame` and `grow_stack` change.
  void mark_frame(std::uint64_t* mark) const;
  void reset_frame(const std::uint64_t* mark);
  /// Whether the address lies in the memory of CPEs.
  bool in_region(std::uint64_t address) const;
  /// In that of this one.
  bool in_memory_of(const Cpe& cpe, std::uint64_t address) const;
  /// True when `address` is in the guard below a CPE's stack.
  bool in_stack_guard(std::uint64_t address) const;
  /// Lays out the memory of a CPE, which has its numbers already.
  void place(Cpe& cpe) const;
  // Of the running CPE's LDM.
  void* ldm_malloc(std::uint64_t bytes);
  void ldm_free(std::uint64_t address);
  /// `bytes` more of stack: a variable array, a recursive call.
  void grow_stack(std::uint64_t bytes, const Site* site);
  void note_ldm_use(const Cpe& cpe);
  std::uint64_t stack_in_ldm(const FunctionInfo& entry) const;
  std::uint64_t static_ldm_bytes() const { return static_bytes_; }

  /// When cores start, what all of them see has no value.
  void forget_shared() const;
  /// Whether an address lies in an object that all CPEs see.
  bool is_shared(std::uint64_t address) { return object_at(address)->kind == ObjectKind::Shared; }

  // Faults.
  /// Fails with `kind` at `site` on the running CPE.
  [[noreturn]] void fault(const char* kind, const Site* site, std::string what, std::string why,
                          std::string fix, const Site* cause = nullptr);
  /// "CPE 5", or "CPE 5 of group 2" where there are several.
  std::string name_of(const Cpe& cpe) const;
  /// "the MPE", or "thread 2 of the MPE".
  std::string name_of(const MpeThread& thread) const;
  /// Any of these, by its number in vector clocks.
  std::string name_of(unsigned thread) const;
  /// Null for a thread of the MPE.
  const Cpe* cpe_of(unsigned thread) const;
  /// The number for a failure: -1 where there is only one.
  int failure_group(const Cpe* cpe) const;

  const MachineOptions& options() const { return options_; }
  const Program& program() const { return program_; }
  SharedState& shared() { return shared_; }
  std::mt19937_64& random() { return random_; }
  /// Null but in hazard mode.
  Hazards* hazards_or_null() { return hazards_.get(); }
  Hazards& hazards() { return *hazards_; }
  /// Empty but in timed mode.
  std::optional<TimelineRecorder>& recorder() { return recorder_; }
  std::uint64_t ldm_peak_bytes() const { return ldm_peak_; }
  Traffic traffic() const;
  /// From the first start of a CPE to the last end; 0: none ran.
  std::int64_t cpe_ticks() const;
  /// Counters of what CPEs read and wrote in automatic variables of the MPE.
  const Object& stack_traffic() const { return mpe_stack_traffic_; }

 private:
  /// A mutex of the MPE.
  struct Mutex {
    MpeThread* owner = nullptr;
    std::int64_t opened = 0;  ///< when, in ticks
  };
  struct MpeBarrier {
    unsigned count = 0;
    std::vector<unsigned> members = {};  ///< that have come, by their numbers in vector clocks
    std::uint64_t rounds = 0;            ///< in which all have come
    std::int64_t last = 0;               ///< when the last of them came, in ticks
  };

  static Machine& of_fibers();
  static void run_mpe_fiber();
  void check_static_fit() const;
  void check_shared_fit() const;
  void resume(Cpe& cpe);
  void resume(MpeThread& thread);
  bool is_runnable(const Cpe& cpe) const;
  static bool is_runnable(const MpeThread& thread);
  /// Each one that can go on, once; false when none can.
  bool run_mpe_threads();
  void end_mpe_thread();
  /// Another thread of the MPE has called athread_init for it.
  bool is_worked_with(const CoreGroup& group) const;
  /// One that no other thread of the MPE works with; fails when there is none.
  CoreGroup& free_group();
  void require_threads_joined();
  /// What `call` goes to; fails when it cannot.
  std::int64_t& atomic_word(std::uint64_t address, const char* call);
  // Of timed mode.
  /// `run_ready` in the order of clocks.
  bool run_in_order();
  /// When the next transfer, or copy from LDM to LDM, of any group will be complete.
  std::optional<std::int64_t> next_completion() const;
  /// What has been transferred by then arrives.
  void land_until(std::int64_t now);
  void pop_frame();

  MachineOptions options_;
  const Program& program_;
  SharedState& shared_;
  std::mt19937_64 random_;
  char* region_ = nullptr;  ///< of all groups, whether they are there or not
  std::uint64_t region_stride_ = 0;
  std::uint64_t region_bytes_ = 0;
  std::uint64_t static_bytes_ = 0;
  std::vector<std::unique_ptr<CoreGroup>> groups_;  ///< by number; null: not used yet
  std::vector<CoreGroup*> present_;
  std::vector<Cpe*> cpes_;  ///< of those groups
  Cpe* running_ = nullptr;
  bool all_groups_ = false;                              ///< `init_groups` was called
  std::vector<std::unique_ptr<MpeThread>> mpe_threads_;  ///< by number; null: joined
  MpeThread* mpe_ = nullptr;                             ///< the one that runs
  std::map<std::uint64_t, Mutex> mutexes_;               ///< by address
  std::map<std::uint64_t, MpeBarrier> mpe_barriers_;
  ObjectTable main_objects_;
  Object unknown_{};
  Object mpe_stack_traffic_{};
  std::uint64_t ldm_peak_ = 0;
  std::unique_ptr<Hazards> hazards_;          ///< null but in hazard mode
  std::optional<TimelineRecorder> recorder_;  ///< of timed mode
  /// No other CPE that can run is earlier than this, unless some poll: these may go on any time.
  std::int64_t next_turn_ = 0;
  bool some_poll_ = false;
  std::int64_t now_ = 0;  ///< up to which everything has happened, in ticks
};

}  // namespace solway::emulator
