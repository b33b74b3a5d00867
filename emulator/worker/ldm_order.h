#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/vector_clock.h"

namespace solway::emulator {

/// What a CPE does to the LDM of others.
enum class SharedKind : std::uint8_t {
  Broadcast,
  Deal,     ///< along a row
  Copy,     ///< by RMA
  Counter,  ///< that a copy by RMA raises: its owner may read it meanwhile
  Read      ///< by RMA
};

/// One such transfer.
struct SharedWrite {
  unsigned issuer = 0;  ///< its thread
  SharedKind kind = SharedKind::Broadcast;
  std::uint32_t step = 0;  ///< of the issuer, when it had waited for it; kUnfinished before
  const Site* site = nullptr;
};

/// A use of LDM, and a transfer of another CPE, that nothing orders.
struct LdmConflict {
  SharedWrite write;
  std::optional<SharedWrite> other;  ///< not a use: a second transfer of another CPE
  const Site* use = nullptr;
  std::uint64_t offset = 0;  ///< of the first word that both touch
};

/// What a CPE does with a word of its own LDM.
enum class LdmUse : std::uint8_t {
  Load,
  Poll,  ///< a volatile load, which may wait for a counter
  Store
};

/// Finds what a CPE does with its own LDM without order to transfers of other CPEs: for each word
/// the first use by its owner in a step, its last store, and the last transfer of another CPE into
/// it.
class LdmOrder {
 public:
  /// A transfer of another CPE, by its number; 0: none.
  using Number = std::uint32_t;

  /// `first_thread`: of CPE 0; the others have the numbers behind that.
  LdmOrder(unsigned cpes, std::uint64_t ldm_bytes, unsigned first_thread = 0);

  /// `cpe`, which comes after `clock`, uses [offset, offset + bytes) of its LDM.
  std::optional<LdmConflict> use(unsigned cpe, std::uint64_t offset, std::uint64_t bytes,
                                 const Site* site, const VectorClock& clock,
                                 LdmUse kind = LdmUse::Load);
  /// `write`, which nobody has waited for, begins.
  Number begin(SharedWrite write);
  /// It goes into this LDM of `cpe`, which is not its issuer's; the issuer comes after `clock`.
  std::optional<LdmConflict> write(Number number, unsigned cpe, std::uint64_t offset,
                                   std::uint64_t bytes, const VectorClock& clock);
  /// It reads this LDM of `cpe`, which is not its issuer's.
  std::optional<LdmConflict> read(Number number, unsigned cpe, std::uint64_t offset,
                                  std::uint64_t bytes, const VectorClock& clock);
  /// Its issuer has waited for it.
  void finish(Number number, std::uint32_t step) { writes_[number].step = step; }
  /// `cpe` itself knows that it is complete: what follows comes after.
  void acknowledge(Number number, unsigned cpe, std::uint64_t offset, std::uint64_t bytes,
                   const VectorClock& clock);
  const SharedWrite& at(Number number) const { return writes_[number]; }
  bool comes_before(Number number, const VectorClock& clock) const {
    return comes_before(writes_[number], clock);
  }

 private:
  struct Word {
    const Site* use;
    const Site* store;
    std::uint32_t step;        ///< of the owner, at its last use; 0: none
    std::uint32_t store_step;  ///< and at its last store
    Number write;
  };
  struct Free {
    void operator()(Word* words) const { std::free(words); }
  };

  Word* words(unsigned cpe, std::uint64_t offset) {
    return words_.get() + (cpe * ldm_bytes_ + offset) / 4;
  }
  bool comes_before(const SharedWrite& write, const VectorClock& clock) const;

  /// The last step of the owner that the clock comes after.
  std::uint32_t step(const VectorClock& clock, unsigned cpe) const {
    return clock[first_thread_ + cpe];
  }

  unsigned first_thread_;
  std::uint64_t ldm_bytes_;
  std::unique_ptr<Word[], Free> words_;  ///< zeros; pages that are not used are not there
  std::vector<SharedWrite> writes_ = {{}};
};

}  // namespace solway::emulator
