#pragma once

#include <cstdint>
#include <optional>

namespace solway::emulator {

/// State of 4 bytes of LDM; 0: written, and no transfer uses them.
using LdmCell = std::uint8_t;
inline constexpr LdmCell kUnwritten = 15;  ///< one bit per byte
inline constexpr LdmCell kPendingGet = 16;
inline constexpr LdmCell kPendingPut = 32;
inline constexpr LdmCell kCounting = 64;  ///< a reply counter of a pending transfer
/// Not used in this step of its CPE, in a program whose transfers go into the LDM of others.
inline constexpr LdmCell kWatched = 128;

/// One cell for each 4 bytes of the address range where the CPEs' memory lies.
class LdmShadow {
 public:
  LdmShadow(std::uint64_t base, std::uint64_t bytes);
  ~LdmShadow();
  LdmShadow(const LdmShadow&) = delete;
  LdmShadow& operator=(const LdmShadow&) = delete;

  bool holds(std::uint64_t address) const { return address - base_ < bytes_; }
  /// What (address >> 2) differs by from the address of the cell.
  std::uint64_t bias() const { return reinterpret_cast<std::uint64_t>(cells_) - (base_ >> 2); }

  /// Sets, or clears, `bits` in every cell that [address, address + bytes) touches.
  void set(std::uint64_t address, std::uint64_t bytes, LdmCell bits);
  void clear(std::uint64_t address, std::uint64_t bytes, LdmCell bits);
  /// The first word with one of `bits`, which are not those of kUnwritten.
  std::optional<std::uint64_t> find(std::uint64_t address, std::uint64_t bytes, LdmCell bits) const;

  void mark_written(std::uint64_t address, std::uint64_t bytes);
  void mark_unwritten(std::uint64_t address, std::uint64_t bytes);
  /// The first byte that nobody wrote.
  std::optional<std::uint64_t> find_unwritten(std::uint64_t address, std::uint64_t bytes) const;

 private:
  LdmCell& cell(std::uint64_t address) const { return cells_[(address - base_) >> 2]; }

  std::uint64_t base_;
  std::uint64_t bytes_;
  LdmCell* cells_;
};

}  // namespace solway::emulator
