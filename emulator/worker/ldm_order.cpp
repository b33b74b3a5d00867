#include "emulator/worker/ldm_order.h"

#include "emulator/worker/main_shadow.h"

namespace solway::emulator {

LdmOrder::LdmOrder(unsigned cpes, std::uint64_t ldm_bytes)
    : ldm_bytes_((ldm_bytes + 3) / 4 * 4), words_(cpes * ldm_bytes_ / 4) {}

bool LdmOrder::comes_before(const SharedWrite& write, const VectorClock& clock) const {
  return write.step != kUnfinished && write.step <= clock[write.issuer];
}

std::optional<LdmConflict> LdmOrder::use(unsigned cpe, std::uint64_t offset, std::uint64_t bytes,
                                         const Site* site, const VectorClock& clock) {
  for (std::uint64_t at = offset / 4 * 4; at < offset + bytes; at += 4) {
    Word& word = *words(cpe, at);
    if (word.write != 0 && !comes_before(writes_[word.write], clock)) {
      return LdmConflict{writes_[word.write], std::nullopt, site, at};
    }
    word = {site, clock[cpe], 0};
  }
  return std::nullopt;
}

LdmOrder::Number LdmOrder::begin(SharedWrite write) {
  write.step = kUnfinished;
  writes_.push_back(write);
  return static_cast<Number>(writes_.size() - 1);
}

std::optional<LdmConflict> LdmOrder::write(Number number, unsigned cpe, std::uint64_t offset,
                                           std::uint64_t bytes, const VectorClock& clock) {
  for (std::uint64_t at = offset; at < offset + bytes; at += 4) {
    Word& word = *words(cpe, at);
    if (word.step > clock[cpe]) return LdmConflict{writes_[number], std::nullopt, word.use, at};
    if (word.write != 0 && !comes_before(writes_[word.write], clock)) {
      return LdmConflict{writes_[number], writes_[word.write], nullptr, at};
    }
    word.write = number;
  }
  return std::nullopt;
}

}  // namespace solway::emulator
