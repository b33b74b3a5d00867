#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/vector_clock.h"

namespace solway::emulator {

/// A transfer of one CPE into the LDM of others.
struct SharedWrite {
  unsigned issuer = 0;
  bool broadcast = false;  ///< and not a deal along a row
  std::uint32_t step = 0;  ///< of the issuer, when it had waited for it; kUnfinished before
  const Site* site = nullptr;
};

/// A use of LDM, and a transfer of another CPE into it, that nothing orders.
struct LdmConflict {
  SharedWrite write;
  std::optional<SharedWrite> other;  ///< not a use: a second transfer of another CPE
  const Site* use = nullptr;
  std::uint64_t offset = 0;  ///< of the first word that both touch
};

/// Finds what a CPE does with its own LDM without order to transfers of other CPEs into it: for
/// each word the first use by its owner in a step, and the last transfer of another CPE.
class LdmOrder {
 public:
  /// A transfer into other LDM, by its number; 0: none.
  using Number = std::uint32_t;

  LdmOrder(unsigned cpes, std::uint64_t ldm_bytes);

  /// `cpe`, which comes after `clock`, uses [offset, offset + bytes) of its LDM.
  std::optional<LdmConflict> use(unsigned cpe, std::uint64_t offset, std::uint64_t bytes,
                                 const Site* site, const VectorClock& clock);
  /// `write`, which nobody has waited for, begins.
  Number begin(SharedWrite write);
  /// It goes into this LDM of `cpe`, which is not its issuer's; the issuer comes after `clock`.
  std::optional<LdmConflict> write(Number number, unsigned cpe, std::uint64_t offset,
                                   std::uint64_t bytes, const VectorClock& clock);
  /// Its issuer has waited for it.
  void finish(Number number, std::uint32_t step) { writes_[number].step = step; }

 private:
  struct Word {
    const Site* use = nullptr;
    std::uint32_t step = 0;  ///< of the owner, at its last use; 0: none
    Number write = 0;
  };

  Word* words(unsigned cpe, std::uint64_t offset) {
    return words_.data() + (cpe * ldm_bytes_ + offset) / 4;
  }
  bool comes_before(const SharedWrite& write, const VectorClock& clock) const;

  std::uint64_t ldm_bytes_;
  std::vector<Word> words_;
  std::vector<SharedWrite> writes_ = {{}};
};

}  // namespace solway::emulator
