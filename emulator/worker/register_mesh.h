#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
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
  VectorClock order;         ///< in hazard mode: what the sender had seen
  std::int64_t arrives = 0;  ///< in timed mode: when the receiver can have it, in ticks
};

/// The lines along which registers are sent: to CPEs of the same row, or of the same column.
enum class RegisterLine : std::uint8_t { Row, Column };

/// The buffers of register communication. A message waits in its sender's send buffer until all of
/// its receivers have room; it is then the last in their receive buffers. Buffers hold a few
/// vectors, those of rows apart from those of columns.
class RegisterMesh {
 public:
  RegisterMesh(int cpes, std::size_t depth);

  bool can_send(int cpe, RegisterLine line) const;
  /// Needs: can_send, and `receivers` that are not `cpe`.
  void send(int cpe, RegisterLine line, const std::vector<int>& receivers,
            const RegisterMessage& message);
  /// The oldest message in the receive buffer, which it leaves.
  std::optional<RegisterMessage> take(int cpe, RegisterLine line);
  /// Moves the first messages of `cpe` to their receivers as long as these have room.
  void deliver(int cpe, RegisterLine line);
  /// A message in a receive buffer; null when they are empty.
  const RegisterMessage* left_over(int cpe) const;

 private:
  struct Outgoing {
    RegisterMessage message;
    std::vector<int> receivers;
  };
  struct Buffers {
    std::deque<Outgoing> sending;
    std::deque<RegisterMessage> received;
  };

  Buffers& at(int cpe, RegisterLine line);
  const Buffers& at(int cpe, RegisterLine line) const;

  std::size_t depth_;
  std::vector<std::array<Buffers, 2>> buffers_;  ///< by CPE and line
};

}  // namespace solway::emulator
