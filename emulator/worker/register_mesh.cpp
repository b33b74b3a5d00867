#include "emulator/worker/register_mesh.h"

#include <algorithm>

namespace solway::emulator {

RegisterMesh::RegisterMesh(int cpes, std::size_t depth)
    : depth_(depth), buffers_(static_cast<std::size_t>(cpes)) {}

RegisterMesh::Buffers& RegisterMesh::at(int cpe, RegisterLine line) {
  return buffers_[static_cast<std::size_t>(cpe)][static_cast<std::size_t>(line)];
}

const RegisterMesh::Buffers& RegisterMesh::at(int cpe, RegisterLine line) const {
  return buffers_[static_cast<std::size_t>(cpe)][static_cast<std::size_t>(line)];
}

bool RegisterMesh::can_send(int cpe, RegisterLine line) const {
  return at(cpe, line).sending.size() < depth_;
}

void RegisterMesh::send(int cpe, RegisterLine line, const std::vector<int>& receivers,
                        const RegisterMessage& message) {
  at(cpe, line).sending.push_back({message, receivers});
  deliver(cpe, line);
}

std::optional<RegisterMessage> RegisterMesh::take(int cpe, RegisterLine line) {
  std::deque<RegisterMessage>& received = at(cpe, line).received;
  if (received.empty()) return std::nullopt;
  RegisterMessage out = received.front();
  received.pop_front();
  return out;
}

void RegisterMesh::deliver(int cpe, RegisterLine line) {
  std::deque<Outgoing>& sending = at(cpe, line).sending;
  const auto has_room = [&](int receiver) { return at(receiver, line).received.size() < depth_; };
  while (!sending.empty()) {
    const std::vector<int>& receivers = sending.front().receivers;
    if (!std::all_of(receivers.begin(), receivers.end(), has_room)) return;
    for (const int receiver : receivers) {
      at(receiver, line).received.push_back(sending.front().message);
    }
    sending.pop_front();
  }
}

const RegisterMessage* RegisterMesh::left_over(int cpe) const {
  for (const RegisterLine line : {RegisterLine::Row, RegisterLine::Column}) {
    const std::deque<RegisterMessage>& received = at(cpe, line).received;
    if (!received.empty()) return &received.front();
  }
  return nullptr;
}

}  // namespace solway::emulator
