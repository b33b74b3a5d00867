#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/vector_clock.h"

namespace solway::emulator {

/// 256 bits, as a register holds them.
using RegisterValue = std::array<std::uint64_t, 4>;

/// One vector on its way. The machine does not tell the receiver who sent it.
struct RegisterMessage {
  RegisterValue value{};
  int sender = 0;
  const Site* sent = nullptr;
  std::int64_t arrives = 0;                  ///< in timed mode: when it can be had, in ticks
  std::shared_ptr<const VectorClock> order;  ///< in hazard mode: what the sender had seen
};

/// The lines along which registers are sent: to CPEs of the same row, or of the same column.
enum class RegisterLine : std::uint8_t { Row, Column };

/// The buffers of register communication. A message waits in its sender's send buffer until all of
/// its receivers have room; it is then the last in their receive buffers. Buffers hold a few
/// vectors, those of rows apart from those of columns.
class RegisterMesh {
 public:
  /// Bit i stands for CPE i.
  using CpeBits = std::uint64_t;

  RegisterMesh(int cpes, std::size_t depth);

  bool can_send(int cpe, RegisterLine line) const { return !at(cpe, line).sending.is_full(); }
  /// Needs: can_send, and `receivers` without `cpe`.
  void send(int cpe, RegisterLine line, CpeBits receivers, const RegisterMessage& message);
  /// The oldest message in the receive buffer, which it leaves.
  std::optional<RegisterMessage> take(int cpe, RegisterLine line);
  /// Moves the first messages of `cpe` to their receivers as long as these have room.
  void deliver(int cpe, RegisterLine line);
  /// The CPEs whose send buffers are not empty.
  CpeBits senders(RegisterLine line) const { return senders_[static_cast<std::size_t>(line)]; }
  /// A message in a receive buffer; null when they are empty.
  const RegisterMessage* left_over(int cpe) const;

 private:
  /// At most so many, first in, first out.
  template <typename Item>
  class Ring {
   public:
    explicit Ring(std::size_t depth) : items_(depth) {}
    bool is_empty() const { return count_ == 0; }
    bool is_full() const { return count_ == items_.size(); }
    const Item& front() const { return items_[first_]; }
    void push(Item item) { items_[(first_ + count_++) % items_.size()] = std::move(item); }
    Item pop() {
      Item out = std::move(items_[first_]);
      first_ = (first_ + 1) % items_.size();
      --count_;
      return out;
    }

   private:
    std::vector<Item> items_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
  };
  struct Outgoing {
    RegisterMessage message;
    CpeBits receivers = 0;
  };
  struct Buffers {
    Ring<Outgoing> sending;
    Ring<RegisterMessage> received;
  };

  static std::size_t index(int cpe, RegisterLine line) {
    return 2 * static_cast<std::size_t>(cpe) + static_cast<std::size_t>(line);
  }
  Buffers& at(int cpe, RegisterLine line) { return buffers_[index(cpe, line)]; }
  const Buffers& at(int cpe, RegisterLine line) const { return buffers_[index(cpe, line)]; }
  bool have_room(CpeBits receivers, RegisterLine line) const;

  std::vector<Buffers> buffers_;  ///< by CPE and line
  std::array<CpeBits, 2> senders_{};
};

}  // namespace solway::emulator
