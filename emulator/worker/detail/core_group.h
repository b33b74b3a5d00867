#pragma once

#include <list>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/clock.h"
#include "emulator/worker/detail/cpe.h"
#include "emulator/worker/detail/machine_options.h"
#include "emulator/worker/detail/remote_copy.h"
#include "emulator/worker/detail/shared_state.h"
#include "emulator/worker/ldm_order.h"
#include "emulator/worker/register_mesh.h"

namespace solway::emulator {

class Hazards;
class Machine;

/// Bytes that CPEs moved.
struct Traffic {
  std::uint64_t get = 0;
  std::uint64_t put = 0;
  std::uint64_t remote = 0;  ///< from LDM to LDM, each copy once
};

/// What the program asks CPEs to run.
struct StartCall {
  void* function = nullptr;
  void* argument = nullptr;
  const char* call = "";       ///< what the program wrote: "athread_spawn"
  const char* joined_by = "";  ///< the call that its fault asks for: "athread_join"
};

/// The calls of one form of athread_spawn64, by name: CPEs wait for work between two spawns.
struct WaitingCalls {
  const char* enter = "";
  const char* leave = "";
  const char* spawn = "";
  const char* join = "";
};

/// One core group of a machine: 64 CPEs with the mesh, the transfer engine and the network between
/// them, and the MPE's side of their threads. Every method that finds a fault ends the process.
class CoreGroup {
 public:
  CoreGroup(Machine& machine, int number);

  int number() const { return number_; }
  /// It is one of this group.
  Cpe& running() const;

  // The athread interface of the MPE. Of CPEs, bit i stands for CPE i.
  void init();
  /// The LDM is as at the start of the program; needs: nothing runs.
  void reload();
  /// Starts CPEs 0 to threads() - 1.
  void spawn(void* function, void* argument);
  void spawn_group(CpeSet cpes, void* function, void* argument);
  void create(int id, void* function, void* argument);
  /// Between the two its CPEs wait for spawns of the form; `calls` has static lifetime.
  void enter64(const WaitingCalls& calls);
  void leave64(const WaitingCalls& calls);
  /// Starts all CPEs.
  void spawn64(const WaitingCalls& calls, void* function, void* argument);
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
  /// Whether athread_init was called, and athread_halt not since.
  bool is_initialised() const { return initialised_; }
  /// CPEs that have been started and not been joined.
  CpeSet started() const { return started_; }
  bool is_started(int id) const { return (started_ >> id & 1) != 0; }

  // Parts of spawns and joins, in this order.
  /// What `cpes` would run; fails when they cannot.
  Task task_for(CpeSet cpes, const StartCall& call);
  /// Gives it to them.
  void start(CpeSet cpes, const Task& task);
  /// Fails unless athread_init was called, and those of `cpes` that run; 0: none.
  CpeSet to_join(CpeSet cpes, const char* call);
  bool have_ended(CpeSet cpes) const;
  /// Needs: they have ended.
  void take_back(CpeSet cpes);

  // CPE side, of the running CPE.
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
  /// A volatile load of [address, address + bytes) follows: it may end a wait.
  void read_volatile(std::uint64_t address, std::uint64_t bytes);
  /// A transfer or copy of `cpe` that counts in [address, address + bytes), or lets such a counter
  /// of it rise, completes; false when there is none.
  bool try_land_one(Cpe& cpe, std::uint64_t address, std::uint64_t bytes);
  /// The function of the running CPE has returned: nothing of it may be under way.
  void finish_running();

  const Cpe& cpe(int id) const { return *cpes_[static_cast<std::size_t>(id)]; }
  const std::vector<std::unique_ptr<Cpe>>& cpes() const { return cpes_; }
  std::list<RemoteCopy>& copies() { return copies_; }
  /// The counter of one of the others rises, unless it has.
  void count_there(RemoteCopy& copy, int id);
  /// What hazard mode knows of transfers into the LDM of others; made by it.
  std::unique_ptr<LdmOrder>& ldm_order() { return ldm_order_; }
  /// Null but in timed mode.
  Clock* clock() { return clock_.get(); }
  /// What has been transferred by then arrives.
  void land_until(std::int64_t now);
  /// That plain accesses of main memory take its CPEs now.
  std::int64_t main_load_ticks() const { return main_load_ticks_; }
  std::int64_t main_store_ticks() const { return main_store_ticks_; }
  const Traffic& traffic() const { return traffic_; }
  const MachineOptions& options() const { return options_; }
  Machine& machine() { return machine_; }
  /// Fails with `kind` at `site` on the running CPE.
  [[noreturn]] void fault(const char* kind, const Site* site, std::string what, std::string why,
                          std::string fix, const Site* cause = nullptr);

 private:
  /// Gives the LDM of `cpe` the values that objects have at the start of the program.
  void load_ldm(const Cpe& cpe);
  void apply_initialisers();
  /// Before the loop of a wait for a counter, and behind it.
  void begin_wait(std::uint64_t counter);
  void end_wait(std::uint64_t counter);
  /// Starts them after the time that this takes the MPE.
  void start_now(CpeSet cpes, const StartCall& call);
  void start(Cpe& cpe);
  const FunctionInfo& function_at(void* address, const std::string& call);
  void require_id(int id, const char* call) const;
  void require_initialised(const char* call);
  /// That nothing runs at `call`.
  void require_joined(const char* call);
  void require_room(const Cpe& cpe, const FunctionInfo& entry);
  // Of timed mode.
  /// The function of `cpe` ends now.
  void end_timed(const Cpe& cpe);
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
  void check_copy(const RemoteCopy& copy);
  /// [address, address + bytes) of the issuer lies in an object of CPE `id` too.
  void require_remote(const RemoteCopy& copy, int id, std::uint64_t address, std::uint64_t bytes,
                      const char* role);
  void poison_destination(const RemoteCopy& copy);
  /// Of one of the others, unless they have moved.
  /// As land_until: transfers first, whatever comes before them.
  void land_by_kind(std::int64_t now);
  void move_data(RemoteCopy& copy, int id);
  void land(std::list<RemoteCopy>::iterator at);
  /// Lets a counter in [address, address + bytes) of `cpe` rise; false when none can.
  bool try_land_copy(const Cpe& cpe, std::uint64_t address, std::uint64_t bytes);
  /// As note_counter_read, of copies from LDM to LDM.
  void note_copies_read(Cpe& cpe, std::uint64_t address, std::uint64_t bytes);
  void check_transfer(const Transfer& transfer) const;
  void check_alignment(const Transfer& transfer) const;
  /// The near side of a transfer lies within its object in the scratchpad of all CPEs.
  void require_shared(const Transfer& transfer, const char* role) const;

  Machine& machine_;
  int number_;
  const MachineOptions& options_;
  const Program& program_;
  SharedState& shared_;
  std::mt19937_64& random_;
  std::vector<std::unique_ptr<Cpe>> cpes_;
  int threads_;
  bool initialised_ = false;
  bool loaded_ = false;
  const WaitingCalls* waiting_ = nullptr;  ///< the form that its CPEs wait for
  CpeSet started_ = 0;
  CpeSet ended_ = 0;
  RegisterMesh registers_{kCpes, kRegisterBufferDepth};
  Traffic traffic_;
  std::list<RemoteCopy> copies_;
  std::unique_ptr<LdmOrder> ldm_order_;
  Hazards* hazards_;              ///< of the machine; null but in hazard mode
  std::unique_ptr<Clock> clock_;  ///< null but in timed mode
  std::int64_t main_load_ticks_ = 0;
  std::int64_t main_store_ticks_ = 0;
};

}  // namespace solway::emulator
