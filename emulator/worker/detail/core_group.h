#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/clock.h"
#include "emulator/worker/detail/cpe.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/hazards.h"
#include "emulator/worker/detail/machine_options.h"
#include "emulator/worker/detail/remote_copy.h"
#include "emulator/worker/register_mesh.h"

namespace solway::emulator {

/// Variables that instrumented code reads and writes.
struct SharedState {
  char* ldm = nullptr;          ///< LDM of the running CPE
  const Site* site = nullptr;   ///< the call under way
  std::int64_t steps_left = 0;  ///< loop iterations until the run is called endless
  // Of timed mode.
  std::int64_t ticks = 0;            ///< the clock of the running processor
  std::int64_t main_load_ticks = 0;  ///< that a plain load of main memory takes a CPE now
  std::int64_t main_store_ticks = 0;
  std::int64_t main_ticks = 0;  ///< that the running CPE has spent in such accesses
  // Of hazard mode.
  std::uint64_t region = 0;        ///< where the memory of the CPEs begins
  std::uint64_t region_bytes = 0;  ///< and how much it is
  std::uint64_t cell_bias = 0;     ///< (address >> 2) + this is the address of the shadow cell
  std::uint64_t mpe_watched = 0;   ///< 1 while CPEs may run beside the MPE
};

/// Bytes that CPEs moved.
struct Traffic {
  std::uint64_t get = 0;
  std::uint64_t put = 0;
  std::uint64_t remote = 0;  ///< from LDM to LDM, each copy once
};

/// One core group: an MPE, which is the caller, and 64 CPEs, which are fibers that run to their
/// next blocking point in an order that the seed fixes. Every method that finds a fault ends the
/// process with `fail`.
class CoreGroup {
 public:
  CoreGroup(const MachineOptions& options, const Program& program, SharedState& shared);

  // The athread interface of the MPE. Of CPEs, bit i stands for CPE i.
  void init();
  /// Starts CPEs 0 to threads() - 1.
  void spawn(void* function, void* argument);
  void spawn_group(CpeSet cpes, void* function, void* argument);
  void create(int id, void* function, void* argument);
  /// Waits for those of `cpes` that run; false when none does. `call`: what the program wrote.
  bool join(CpeSet cpes, const char* call);
  bool wait(int id);
  /// Closes a CPE for the rest of the program.
  void end(int id);
  void halt();
  void set_threads(int count);
  /// Loads the scratchpads and starts CPEs 0 to count - 1, without an init before.
  void start_anew(int count, void* function, void* argument);
  int threads() const { return threads_; }
  /// CPEs that have been started and not been joined.
  CpeSet started() const { return started_; }
  /// The entry has returned: nothing may be running.
  void finish();

  // CPE side; `running()` must not be null.
  Cpe* running() { return running_; }
  /// `mask`: of the rows that a broadcast goes to.
  void issue(Transfer transfer, unsigned mask);
  /// `copy.issuer` is the running CPE.
  void issue(RemoteCopy copy);
  void wait_for(std::uint64_t counter, std::uint32_t count);
  /// Waits until the counter has reached `count`, or passed it.
  void wait_until(std::uint64_t counter, std::int32_t count);
  void land_all();
  /// The running CPE waits for all of its copies from LDM to LDM.
  void land_copies();
  void barrier(int scope, int mask);
  void put_register(RegisterLine line, int destination, const RegisterValue& value);
  /// Takes a message into Cpe::message.
  void get_register(RegisterLine line);
  /// Lets the other CPEs run as far as they can while this one stands still.
  void let_others_go_on();
  void* ldm_malloc(std::uint64_t bytes);
  void ldm_free(std::uint64_t address);
  /// `bytes` more of stack on the running CPE: a variable array, a recursive call.
  void grow_stack(std::uint64_t bytes, const Site* site);
  /// In timed mode: the running CPE goes on once it has this code.
  void fetch_code(std::int64_t address, std::int64_t bytes);
  /// A volatile load of [address, address + bytes) follows: it may end a wait.
  void read_volatile(std::uint64_t address, std::uint64_t bytes);

  // Both sides.
  /// The cycle counter of the running processor; but in timed mode it counts its readings.
  std::uint64_t cycles();
  /// A loop without effects reads [address, address + bytes) again.
  void poll(std::uint64_t address, std::uint64_t bytes, const Site* site);
  /// The object that holds `address` for the running thread; never null.
  Object* object_at(std::uint64_t address);
  void check_access(std::uint64_t address, std::uint64_t bytes, std::uint64_t root,
                    const Site* site, std::uint32_t flags);
  void push_frame(Object* object, std::uint64_t address, std::uint64_t bytes, const char* name,
                  const Site* declared);
  /// Saves, and restores at the function's end, what `push_frame` and `grow_stack` change.
  void mark_frame(std::uint64_t* mark) const;
  void reset_frame(const std::uint64_t* mark);
  /// Fails with `kind` at `site` on the running CPE.
  [[noreturn]] void fault(const char* kind, const Site* site, std::string what, std::string why,
                          std::string fix, const Site* cause = nullptr);

  ObjectTable& main_objects() { return main_objects_; }
  const Cpe& cpe(unsigned id) const { return *cpes_[id]; }
  std::list<RemoteCopy>& copies() { return copies_; }
  /// The counter of one of the others rises, unless it has.
  void count_there(RemoteCopy& copy, int id);
  const MachineOptions& options() const { return options_; }
  Hazards& hazards() { return *hazards_; }
  /// Null but in timed mode.
  const Clock* clock() const { return clock_.get(); }
  const Traffic& traffic() const { return traffic_; }
  /// Counters of what CPEs read and wrote in automatic variables of the MPE.
  const Object& stack_traffic() const { return mpe_stack_traffic_; }
  std::uint64_t ldm_peak_bytes() const { return ldm_peak_; }
  /// True when `address` is in the guard below a CPE's stack.
  bool in_stack_guard(std::uint64_t address) const;
  const SharedState& shared() const { return shared_; }

 private:
  static void run_fiber();
  void check_static_fit() const;
  /// Gives the LDM of `cpe` the values that objects have at the start of the program.
  void load_ldm(const Cpe& cpe);
  void apply_initialisers();
  /// Before the loop of a wait for a counter, and behind it.
  void begin_wait(std::uint64_t counter);
  void end_wait(std::uint64_t counter);
  /// `call`: what the program wrote; `joined_by`: the call that its fault asks for.
  void start(CpeSet cpes, void* function, void* argument, const std::string& call,
             const char* joined_by);
  void start(Cpe& cpe);
  bool is_started(int id) const { return (started_ >> id & 1) != 0; }
  const FunctionInfo& function_at(void* address, const std::string& call);
  void require_id(int id, const char* call) const;
  void require_room(const Cpe& cpe, const FunctionInfo& entry);
  void resume(Cpe& cpe);
  void leave(Cpe& cpe);
  /// Runs CPEs until none can; false when nothing ran at all.
  bool run_ready();
  bool is_runnable(const Cpe& cpe) const;
  void block(Cpe& cpe, CpeState state, Wait wait);
  /// `block`, and the time until it goes on is lost to `stall`.
  void stall(Cpe& cpe, Stall stall, Wait wait);
  /// In timed mode: the function of `cpe` ends now.
  void end_timed(const Cpe& cpe);
  // Of timed mode.
  /// `run_ready` in the order of clocks.
  bool run_in_order();
  /// The running CPE is about to do what others see: those that are earlier go first.
  void take_turn();
  /// What has been transferred by then arrives.
  void land_until(std::int64_t now);
  void issue_timed(Cpe& cpe, Transfer transfer);
  void issue_timed(RemoteCopy copy);
  /// What the clock says of a copy from LDM to LDM.
  void arrive(const RmaArrival& arrival);
  /// A transfer, or copy, that `cpe` may wait for has come at `cycle`.
  void wake_at(Cpe& cpe, double cycle);
  /// The running CPE waits until all its copies from LDM to LDM are done.
  void wait_for_replies();
  [[noreturn]] void fail_untimed(const char* what, const char* table);
  void set_main_access_time();
  /// Another CPE than the running one can go on at its time.
  void note_ready(const Cpe& cpe) { next_turn_ = std::min(next_turn_, cpe.ticks); }
  /// `cpe` may go on, not before the time of the running processor.
  void wake(Cpe& cpe);
  [[noreturn]] void report_deadlock(const char* who);
  CpeSet receivers_of(RegisterLine line, int destination);
  /// A CPE has taken a message: others on the line may have room.
  void deliver_along(int cpe, RegisterLine line);
  /// The register buffers along a line have changed: who waits for that looks again.
  void wake_line(int cpe, RegisterLine line);
  void require_no_messages(const Cpe& cpe);
  void land(Cpe& cpe, std::size_t index);
  void move_data(const Cpe& issuer, Transfer& transfer);
  void poison_destination(const Transfer& transfer);
  /// The started CPEs that a transfer of `issuer` goes to.
  CpeSet receivers(const Cpe& issuer, int mode, unsigned mask) const;
  /// Where `address` on `issuer` lies on another CPE.
  std::uint64_t same_place(std::uint64_t address, const Cpe& issuer, int other) const;
  /// The program has read the counter in [address, address + bytes): what cannot be pending by
  /// its value is complete.
  void note_counter_read(Cpe& cpe, std::uint64_t address, std::uint64_t bytes);
  bool try_land_one(Cpe& cpe, std::uint64_t address, std::uint64_t bytes);
  void check_copy(const RemoteCopy& copy);
  /// [address, address + bytes) of the issuer lies in an object of CPE `id` too.
  void require_remote(const RemoteCopy& copy, int id, std::uint64_t address, std::uint64_t bytes,
                      const char* role);
  void poison_destination(const RemoteCopy& copy);
  /// Of one of the others, unless they have moved.
  void move_data(RemoteCopy& copy, int id);
  void land(std::list<RemoteCopy>::iterator at);
  /// Lets a counter in [address, address + bytes) of `cpe` rise; false when none can.
  bool try_land_copy(const Cpe& cpe, std::uint64_t address, std::uint64_t bytes);
  /// As note_counter_read, of copies from LDM to LDM.
  void note_copies_read(Cpe& cpe, std::uint64_t address, std::uint64_t bytes);
  void pop_frame();
  void check_transfer(const Transfer& transfer) const;
  void check_alignment(const Transfer& transfer) const;
  void note_ldm_use(const Cpe& cpe);
  std::uint64_t stack_in_ldm(const FunctionInfo& entry) const;
  Object* ldm_object(Cpe& cpe, std::uint64_t address);
  bool in_region(std::uint64_t address) const;

  MachineOptions options_;
  const Program& program_;
  SharedState& shared_;
  std::mt19937_64 random_;
  char* region_ = nullptr;
  std::uint64_t region_stride_ = 0;
  std::uint64_t static_bytes_ = 0;
  std::vector<std::unique_ptr<Cpe>> cpes_;
  Cpe* running_ = nullptr;
  Object* mpe_frames_ = nullptr;
  ObjectTable main_objects_;
  Object unknown_{};
  Object mpe_stack_traffic_{};
  int threads_;
  bool initialised_ = false;
  bool loaded_ = false;
  CpeSet started_ = 0;
  CpeSet ended_ = 0;
  RegisterMesh registers_{kCpes, kRegisterBufferDepth};
  Traffic traffic_;
  std::list<RemoteCopy> copies_;
  std::uint64_t ldm_peak_ = 0;
  std::unique_ptr<Hazards> hazards_;  ///< null but in hazard mode
  std::unique_ptr<Clock> clock_;      ///< null but in timed mode
  std::uint64_t mpe_readings_ = 0;    ///< of its cycle counter
  /// No other CPE that can run is earlier than this, unless some poll: these may go on any time.
  std::int64_t next_turn_ = 0;
  bool some_poll_ = false;
  std::int64_t now_ = 0;  ///< up to which everything has happened, in ticks
};

}  // namespace solway::emulator
