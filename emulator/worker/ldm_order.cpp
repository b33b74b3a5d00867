#include "emulator/worker/ldm_order.h"

#include <new>

#include "emulator/worker/main_shadow.h"

namespace solway::emulator {

LdmOrder::LdmOrder(unsigned cpes, std::uint64_t ldm_bytes, unsigned first_thread)
    : first_thread_(first_thread),
      ldm_bytes_((ldm_bytes + 3) / 4 * 4),
      words_(static_cast<Word*>(std::calloc(cpes * ldm_bytes_ / 4, sizeof(Word)))) {
  if (words_ == nullptr) throw std::bad_alloc();
}

bool LdmOrder::comes_before(const SharedWrite& write, const VectorClock& clock) const {
  return write.step != kUnfinished && write.step <= clock[write.issuer];
}

std::optional<LdmConflict> LdmOrder::use(unsigned cpe, std::uint64_t offset, std::uint64_t bytes,
                                         const Site* site, const VectorClock& clock, LdmUse kind) {
  for (std::uint64_t at = offset / 4 * 4; at < offset + bytes; at += 4) {
    Word& word = *words(cpe, at);
    const bool is_known = word.write == 0 || comes_before(writes_[word.write], clock);
    if (kind == LdmUse::Poll) {
      if (is_known || writes_[word.write].kind == SharedKind::Counter) continue;
    }
    if (!is_known) return LdmConflict{writes_[word.write], std::nullopt, site, at};
    word.use = site;
    word.step = step(clock, cpe);
    word.write = 0;
    if (kind != LdmUse::Store) continue;
    word.store = site;
    word.store_step = step(clock, cpe);
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
  const bool is_counter = writes_[number].kind == SharedKind::Counter;
  for (std::uint64_t at = offset; at < offset + bytes; at += 4) {
    Word& word = *words(cpe, at);
    if (word.step > step(clock, cpe))
      return LdmConflict{writes_[number], std::nullopt, word.use, at};
    if (word.write != 0 && !comes_before(writes_[word.write], clock)) {
      // Several may raise one counter.
      const bool both = is_counter && writes_[word.write].kind == SharedKind::Counter;
      if (!both) return LdmConflict{writes_[number], writes_[word.write], nullptr, at};
    }
    word.write = number;
  }
  return std::nullopt;
}

std::optional<LdmConflict> LdmOrder::read(Number number, unsigned cpe, std::uint64_t offset,
                                          std::uint64_t bytes, const VectorClock& clock) {
  for (std::uint64_t at = offset; at < offset + bytes; at += 4) {
    const Word& word = *words(cpe, at);
    if (word.store_step > step(clock, cpe)) {
      return LdmConflict{writes_[number], std::nullopt, word.store, at};
    }
    if (word.write != 0 && !comes_before(writes_[word.write], clock)) {
      return LdmConflict{writes_[number], writes_[word.write], nullptr, at};
    }
  }
  return std::nullopt;
}

void LdmOrder::acknowledge(Number number, unsigned cpe, std::uint64_t offset, std::uint64_t bytes,
                           const VectorClock& clock) {
  for (std::uint64_t at = offset; at < offset + bytes; at += 4) {
    Word& word = *words(cpe, at);
    if (word.write != number) continue;
    word.write = 0;
    if (writes_[number].kind == SharedKind::Counter) continue;  // others may raise it meanwhile
    word.use = word.store = writes_[number].site;
    word.step = word.store_step = step(clock, cpe);
  }
}

}  // namespace solway::emulator
