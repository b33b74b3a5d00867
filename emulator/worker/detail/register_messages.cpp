#include <algorithm>

#include "emulator/worker/detail/core_group.h"

namespace solway::emulator {
namespace {

constexpr int kAllOthers = 8;

/// The CPEs along a row or a column of the mesh, `cpe` among them, in order.
std::vector<int> line_of(int cpe, RegisterLine line) {
  std::vector<int> out;
  const int row = cpe / kCpeColumns;
  const int column = cpe % kCpeColumns;
  if (line == RegisterLine::Row) {
    for (int c = 0; c < kCpeColumns; ++c) out.push_back(row * kCpeColumns + c);
  } else {
    for (int r = 0; r < kCpeRows; ++r) out.push_back(r * kCpeColumns + column);
  }
  return out;
}

const char* put_name(RegisterLine line) { return line == RegisterLine::Row ? "putr" : "putc"; }
const char* get_name(RegisterLine line) { return line == RegisterLine::Row ? "getr" : "getc"; }
const char* place_name(RegisterLine line) { return line == RegisterLine::Row ? "column" : "row"; }

}  // namespace

std::vector<int> CoreGroup::receivers_of(RegisterLine line, int destination) {
  const Cpe& self = *running_;
  const std::vector<int> along = line_of(self.id, line);
  const std::string what = std::string(put_name(line)) + " to " + std::to_string(destination);
  if (destination < 0 || destination > kAllOthers) {
    fault("bad_register_target", shared_.site, what + ", which is no destination",
          std::string("a destination is the ") + place_name(line) +
              " of a CPE, 0 to 7, or 8 for the seven others",
          "pass one of these");
  }
  std::vector<int> out;
  for (int k = 0; k < static_cast<int>(along.size()); ++k) {
    const int id = along[static_cast<std::size_t>(k)];
    if (destination == kAllOthers ? id != self.id : k == destination) out.push_back(id);
  }
  for (const int id : out) {
    if (id == self.id) {
      fault("bad_register_target", shared_.site, what + ", which is the CPE itself",
            "CPE " + std::to_string(id) + " is in " + place_name(line) + " " +
                std::to_string(destination),
            "keep the value in a register, or send it to another CPE");
    }
    if (!is_started(id)) {
      fault("bad_register_target", shared_.site,
            what + ": CPE " + std::to_string(id) + " does not run",
            std::to_string(std::popcount(started_)) + " CPEs were started",
            "send to CPEs that run, or start them all");
    }
    if (cpes_[static_cast<std::size_t>(id)]->state == CpeState::Finished) {
      fault("unconsumed_message", shared_.site,
            what + ": CPE " + std::to_string(id) + " takes no more messages",
            "its function has returned",
            "let every message have its " + std::string(get_name(line)));
    }
  }
  return out;
}

void CoreGroup::put_register(RegisterLine line, int destination, const RegisterValue& value) {
  Cpe& self = *running_;
  take_turn();
  const std::vector<int> receivers = receivers_of(line, destination);
  while (!registers_.can_send(self.id, line)) {
    stall(self, Stall::Message,
          {.reason = std::string("waits in ") + put_name(line) +
                     " for a receiver that takes no message from its full buffer",
           .where = shared_.site,
           .is_for_message = true});
  }
  RegisterMessage message{.value = value, .sender = self.id, .sent = shared_.site, .order = {}};
  if (clock_ != nullptr) message.arrives = clock_->send(self.id, line, shared_.ticks);
  if (hazards_ != nullptr) message.order = hazards_->sent(self);
  registers_.send(self.id, line, receivers, message);
  wake_line(self.id, line);
}

void CoreGroup::get_register(RegisterLine line) {
  Cpe& self = *running_;
  take_turn();
  std::optional<RegisterMessage> message;
  while (!(message = registers_.take(self.id, line))) {
    stall(self, Stall::Message,
          {.reason = std::string("waits in ") + get_name(line) + " for a message that nobody sends",
           .where = shared_.site,
           .is_for_message = true});
  }
  if (hazards_ != nullptr) hazards_->received(self, message->order);
  self.message = message->value;
  if (clock_ != nullptr) {
    const std::int64_t has = clock_->receive(self.id, line, message->arrives, shared_.ticks);
    clock_->note_stall(Stall::Message, has - shared_.ticks);
    shared_.ticks = has;
  }
  // There is room now: the senders along the line go on, in an order that the seed fixes; in timed
  // mode nothing depends on the seed.
  std::vector<int> senders = line_of(self.id, line);
  if (options_.seed != 0 && clock_ == nullptr)
    std::shuffle(senders.begin(), senders.end(), random_);
  for (const int id : senders) registers_.deliver(id, line);
  wake_line(self.id, line);
}

void CoreGroup::wake_line(int cpe, RegisterLine line) {
  for (const int id : line_of(cpe, line)) {
    Cpe& other = *cpes_[static_cast<std::size_t>(id)];
    if (other.state == CpeState::Blocked && other.wait.is_for_message) {
      wake(other);
    }
  }
}

void CoreGroup::require_no_messages(const Cpe& cpe) {
  const RegisterMessage* const message = registers_.left_over(cpe.id);
  if (message == nullptr) return;
  fault("unconsumed_message", message->sent,
        "a CPE function returns, and a register message is left in its receive buffer",
        "CPE " + std::to_string(message->sender) + " sent it here, and CPE " +
            std::to_string(cpe.id) + " did not take it",
        "let every message have its getr or getc");
}

}  // namespace solway::emulator
