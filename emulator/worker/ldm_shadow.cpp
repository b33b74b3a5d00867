#include "emulator/worker/ldm_shadow.h"

#include <bit>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace solway::emulator {
namespace {

/// Bits of the bytes of one word that lie in [address, end).
LdmCell bytes_in_word(std::uint64_t word, std::uint64_t address, std::uint64_t end) {
  unsigned mask = kUnwritten;
  if (word < address) mask &= kUnwritten << (address - word);
  if (word + 4 > end) mask &= kUnwritten >> (word + 4 - end);
  return static_cast<LdmCell>(mask);
}

std::uint64_t word_of(std::uint64_t address) { return address & ~std::uint64_t{3}; }

}  // namespace

LdmShadow::LdmShadow(std::uint64_t base, std::uint64_t bytes)
    : base_(word_of(base)), bytes_(bytes) {
  void* const cells = mmap(nullptr, (bytes >> 2) + 64, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED) throw std::bad_alloc();
  cells_ = static_cast<LdmCell*>(cells);
}

LdmShadow::~LdmShadow() { munmap(cells_, (bytes_ >> 2) + 64); }

void LdmShadow::set(std::uint64_t address, std::uint64_t bytes, LdmCell bits) {
  if (bytes == 0) return;
  LdmCell* at = &cell(word_of(address));
  LdmCell* const end = &cell(word_of(address + bytes - 1)) + 1;
  for (; end - at >= 8; at += 8) {  // the whole LDM, at barriers
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, 8);
    eight |= bits * 0x0101010101010101U;
    std::memcpy(at, &eight, 8);
  }
  for (; at != end; ++at) *at = static_cast<LdmCell>(*at | bits);
}

void LdmShadow::clear(std::uint64_t address, std::uint64_t bytes, LdmCell bits) {
  for (std::uint64_t word = word_of(address); word < address + bytes; word += 4) {
    cell(word) = static_cast<LdmCell>(cell(word) & ~bits);
  }
}

std::optional<std::uint64_t> LdmShadow::find(std::uint64_t address, std::uint64_t bytes,
                                             LdmCell bits) const {
  for (std::uint64_t word = word_of(address); word < address + bytes; word += 4) {
    if ((cell(word) & bits) != 0) return word;
  }
  return {};
}

void LdmShadow::mark_written(std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t word = word_of(address); word < address + bytes; word += 4) {
    cell(word) = static_cast<LdmCell>(cell(word) & ~bytes_in_word(word, address, address + bytes));
  }
}

void LdmShadow::mark_unwritten(std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t word = word_of(address); word < address + bytes; word += 4) {
    cell(word) = static_cast<LdmCell>(cell(word) | bytes_in_word(word, address, address + bytes));
  }
}

std::optional<std::uint64_t> LdmShadow::find_unwritten(std::uint64_t address,
                                                       std::uint64_t bytes) const {
  for (std::uint64_t word = word_of(address); word < address + bytes; word += 4) {
    const unsigned bad = cell(word) & bytes_in_word(word, address, address + bytes);
    if (bad != 0) return word + static_cast<unsigned>(std::countr_zero(bad));
  }
  return {};
}

}  // namespace solway::emulator
