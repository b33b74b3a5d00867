#include "emulator/worker/register_mesh.h"

#include <bit>

namespace solway::emulator {

RegisterMesh::RegisterMesh(int cpes, std::size_t depth)
    : buffers_(2 * static_cast<std::size_t>(cpes),
               Buffers{Ring<Outgoing>(depth), Ring<RegisterMessage>(depth)}) {}

void RegisterMesh::send(int cpe, RegisterLine line, CpeBits receivers,
                        const RegisterMessage& message) {
  at(cpe, line).sending.push({message, receivers});
  senders_[static_cast<std::size_t>(line)] |= CpeBits{1} << cpe;
  deliver(cpe, line);
}

std::optional<RegisterMessage> RegisterMesh::take(int cpe, RegisterLine line) {
  Ring<RegisterMessage>& received = at(cpe, line).received;
  if (received.is_empty()) return std::nullopt;
  return received.pop();
}

bool RegisterMesh::have_room(CpeBits receivers, RegisterLine line) const {
  for (; receivers != 0; receivers &= receivers - 1) {
    if (at(std::countr_zero(receivers), line).received.is_full()) return false;
  }
  return true;
}

void RegisterMesh::deliver(int cpe, RegisterLine line) {
  Ring<Outgoing>& sending = at(cpe, line).sending;
  while (!sending.is_empty() && have_room(sending.front().receivers, line)) {
    const Outgoing first = sending.pop();
    for (CpeBits left = first.receivers; left != 0; left &= left - 1) {
      at(std::countr_zero(left), line).received.push(first.message);
    }
  }
  if (sending.is_empty()) senders_[static_cast<std::size_t>(line)] &= ~(CpeBits{1} << cpe);
}

const RegisterMessage* RegisterMesh::left_over(int cpe) const {
  for (const RegisterLine line : {RegisterLine::Row, RegisterLine::Column}) {
    const Ring<RegisterMessage>& received = at(cpe, line).received;
    if (!received.is_empty()) return &received.front();
  }
  return nullptr;
}

}  // namespace solway::emulator
