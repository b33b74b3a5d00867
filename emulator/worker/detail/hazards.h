#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/cpe.h"
#include "emulator/worker/detail/remote_copy.h"
#include "emulator/worker/ldm_order.h"
#include "emulator/worker/ldm_shadow.h"
#include "emulator/worker/main_shadow.h"

namespace solway::emulator {

class CoreGroup;
class Machine;

/// What hazard mode knows beside the values: who wrote which bytes of LDM, which transfers nobody
/// has waited for, and which accesses to main memory are ordered. Faults are found from order,
/// whatever order the CPEs happened to run in.
class Hazards {
 public:
  /// `shares_ldm`: how CPEs may reach the LDM of others, flags kShares...
  Hazards(Machine& machine, std::uint64_t region, std::uint64_t region_bytes,
          std::uint64_t shares_ldm);
  /// A group of the machine is used from now on.
  void add(CoreGroup& group);

  const LdmShadow& ldm() const { return ldm_; }

  // Events of the machine.
  void declare(std::uint64_t address, std::uint64_t bytes) { ldm_.mark_unwritten(address, bytes); }
  void define(std::uint64_t address, std::uint64_t bytes) { ldm_.mark_written(address, bytes); }
  void spawned(CoreGroup& group, CpeSet cpes);
  void joined(CoreGroup& group, CpeSet cpes);
  /// Threads of the MPE, by their numbers in vector clocks: one creates, or has joined, another.
  void created(unsigned by, unsigned thread);
  void joined(unsigned by, unsigned thread);
  void met(const std::vector<unsigned>& mpe_threads);
  /// All of `members` have come to one barrier.
  void met(const std::vector<Cpe*>& members);
  /// What a message that `cpe` sends now comes after; so does who takes it.
  VectorClock sent(const Cpe& cpe);
  void received(const Cpe& cpe, const VectorClock& order);
  /// `cpe` comes after those that have released this word of main memory.
  void acquired(const Cpe& cpe, std::uint64_t word);
  void released(const Cpe& cpe, std::uint64_t word);
  /// The same of a thread of the MPE, and a mutex.
  void acquired(unsigned mpe_thread, std::uint64_t mutex);
  void released(unsigned mpe_thread, std::uint64_t mutex);
  /// Before `transfer` joins the pending ones of `cpe`.
  void issued(Cpe& cpe, Transfer& transfer);
  /// `transfer` has been waited for; it is no longer among the pending ones of `cpe`.
  void waited(Cpe& cpe, const Transfer& transfer);
  /// The same of a copy from LDM to LDM, which its issuer issues.
  void issued(RemoteCopy& copy);
  /// `issuer` now knows that its copy is complete everywhere.
  void complete(const Cpe& issuer, RemoteCopy& copy);
  /// `cpe`, one of the others, has read from its counter that it is complete there.
  void remote_counter_read(const Cpe& cpe, RemoteCopy& copy);

  // Accesses of the program, which lie within their objects.
  /// A load from LDM; true when it took bytes that nobody wrote and `flags` do not say that they
  /// are computed with.
  bool load(std::uint64_t address, std::uint64_t bytes, const Site* site, std::uint32_t flags);
  void store(std::uint64_t address, std::uint64_t bytes, const Site* site);
  void main(std::uint64_t address, std::uint64_t bytes, Object* object, const Site* site,
            bool write);
  /// A copy by memcpy or the like, from either memory to either.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes, const Site* site);
  /// An access to either memory.
  void access(std::uint64_t address, std::uint64_t bytes, const Site* site, bool write);
  /// Bytes that nobody wrote have been computed with, or have been stored.
  [[noreturn]] void unwritten_used(std::uint64_t address, std::uint64_t bytes, const Site* site);
  void unwritten_stored(std::uint64_t address, std::uint64_t bytes, std::uint64_t from,
                        const Site* site);
  [[noreturn]] void misaligned(std::uint64_t address, std::uint64_t align, const Site* site);

 private:
  /// What is under way at an address.
  struct Pending {
    std::string text;  ///< "the get into bytes 0 to 4 of 'block' at cpe.c:12"
    const Site* issued;
  };
  Pending pending_at(std::uint64_t address) const;
  /// "bytes 0 to 4 of 'block'".
  std::string bytes_text(std::uint64_t address, std::uint64_t bytes) const;
  /// Unless the failure says it anyway.
  std::string on_cpe() const;
  VectorClock& clock_of(const Cpe& cpe) { return clocks_[cpe.thread]; }
  /// The last step of a CPE.
  std::uint32_t step_of(const Cpe& cpe) const { return clocks_[cpe.thread][cpe.thread]; }
  /// Of the group of `cpe`; null when the program shares no LDM.
  static LdmOrder* order_of(const Cpe& cpe);
  std::string transfer_text(const Transfer& transfer) const;
  std::string copy_text(const RemoteCopy& copy, bool by_issuer) const;
  void require_no_transfer(std::uint64_t address, std::uint64_t bytes, const Site* site,
                           bool by_get);
  /// The running CPE uses its LDM: a load, a store, or a transfer of its own.
  void use_ldm(std::uint64_t address, std::uint64_t bytes, const Site* site, LdmUse kind);
  void watch(const Cpe& cpe);
  /// A transfer begins that goes into LDM of others too.
  void write_others(const Cpe& issuer, Transfer& transfer);
  void put_remote(const Cpe& issuer, RemoteCopy& copy);
  void get_remote(const Cpe& issuer, RemoteCopy& copy);
  void count_remote(const Cpe& issuer, RemoteCopy& copy);
  /// Nobody of the others has a transfer of its own there.
  void require_idle(const Cpe& cpe, std::uint64_t address, std::uint64_t bytes,
                    const SharedWrite& write);
  /// The running CPE stores where others get from by RMA: true when these are all ordered before.
  bool is_read_before(std::uint64_t address, std::uint64_t bytes, const Site* site);
  /// `cpe` comes after more: its copies of which all others have told it so are complete, and
  /// those that all others come after are over.
  void settle(const Cpe& cpe);
  [[noreturn]] void report(const Cpe& cpe, const LdmConflict& conflict);
  void touch_main(const Transfer& transfer, const MainAccess& access);
  /// Whether the near side of a transfer lies where all CPEs see it.
  bool is_shared(const Transfer& transfer) const { return !ldm_.holds(transfer.ldm_address); }
  /// The same of the near side of such a transfer.
  void touch_shared(const Transfer& transfer, const MainAccess& access);
  /// A transfer is pending after another one that shares bytes with it has been waited for.
  void goes_on(const Cpe& cpe, const Transfer& transfer);
  [[noreturn]] void report_shared(const MainConflict& conflict, const MainAccess& culprit,
                                  const MainAccess& sufferer);
  MainCell* cells_of(Object& object, std::uint64_t address);
  [[noreturn]] void report(const MainConflict& conflict, const MainAccess& access);

  Machine& machine_;
  LdmShadow ldm_;
  std::uint64_t shares_ldm_;
  /// Gets by RMA from the LDM of a CPE, of which it does not know that they are complete.
  struct RemoteRead {
    LdmOrder::Number number;
    unsigned thread;
    std::uint64_t address, bytes;
  };
  std::vector<RemoteRead> reads_;
  MainShadow main_;
  std::vector<VectorClock> clocks_;
  std::map<std::uint64_t, VectorClock> released_;  ///< what comes before who acquires the word
  std::vector<std::unique_ptr<MainCell[]>> cells_;
};

}  // namespace solway::emulator
