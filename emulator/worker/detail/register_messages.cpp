#include <algorithm>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {
namespace {

constexpr int kAllOthers = 8;

/// The CPEs along a row or a column of the mesh, `cpe` among them.
CpeSet line_of(int cpe, RegisterLine line) {
  static_assert(kCpeRows * kCpeColumns == 64);
  constexpr CpeSet kFirstRow = (CpeSet{1} << kCpeColumns) - 1;
  constexpr CpeSet kFirstColumn = ~CpeSet{0} / kFirstRow;  // a bit in each row
  return line == RegisterLine::Row ? kFirstRow << (cpe / kCpeColumns * kCpeColumns)
                                   : kFirstColumn << (cpe % kCpeColumns);
}

/// The CPE at a place of the line, counted from 0.
int member_of(int cpe, RegisterLine line, int place) {
  return line == RegisterLine::Row ? cpe / kCpeColumns * kCpeColumns + place
                                   : place * kCpeColumns + cpe % kCpeColumns;
}

const char* put_name(RegisterLine line) { return line == RegisterLine::Row ? "putr" : "putc"; }
const char* get_name(RegisterLine line) { return line == RegisterLine::Row ? "getr" : "getc"; }
const char* place_name(RegisterLine line) { return line == RegisterLine::Row ? "column" : "row"; }

}  // namespace

CpeSet CoreGroup::receivers_of(RegisterLine line, int destination) {
  const Cpe& self = running();
  const CpeSet own = CpeSet{1} << self.id;
  const auto what = [&] {
    return std::string(put_name(line)) + " to " + std::to_string(destination);
  };
  if (destination < 0 || destination > kAllOthers) {
    fault("bad_register_target", shared_.site, what() + ", which is no destination",
          std::string("a destination is the ") + place_name(line) +
              " of a CPE, 0 to 7, or 8 for the seven others",
          "pass one of these");
  }
  const CpeSet to = destination == kAllOthers ? line_of(self.id, line) & ~own
                                              : CpeSet{1} << member_of(self.id, line, destination);
  if (to == own) {
    fault("bad_register_target", shared_.site, what() + ", which is the CPE itself",
          "CPE " + std::to_string(self.id) + " is in " + place_name(line) + " " +
              std::to_string(destination),
          "keep the value in a register, or send it to another CPE");
  }
  for_each_cpe(to, [&](int id) {
    if (!is_started(id)) {
      fault("bad_register_target", shared_.site,
            what() + ": CPE " + std::to_string(id) + " does not run",
            std::to_string(std::popcount(started_)) + " CPEs were started",
            "send to CPEs that run, or start them all");
    }
    if (cpes_[static_cast<std::size_t>(id)]->state == CpeState::Finished) {
      fault("unconsumed_message", shared_.site,
            what() + ": CPE " + std::to_string(id) + " takes no more messages",
            "its function has returned",
            "let every message have its " + std::string(get_name(line)));
    }
  });
  return to;
}

void CoreGroup::put_register(RegisterLine line, int destination, const RegisterValue& value) {
  Cpe& self = running();
  if (clock_ != nullptr && !clock_->knows_messages()) {
    fail_untimed("a register message", "[timing.messages]");
  }
  machine_.take_turn();
  const CpeSet receivers = receivers_of(line, destination);
  while (!registers_.can_send(self.id, line)) {
    machine_.stall(self, Stall::Message,
                   {.reason = std::string("waits in ") + put_name(line) +
                              " for a receiver that takes no message from its full buffer",
                    .where = shared_.site,
                    .is_for_message = true});
  }
  RegisterMessage message;
  message.value = value;
  message.sender = self.id;
  message.sent = shared_.site;
  if (clock_ != nullptr) message.arrives = clock_->send(self.id, line, shared_.ticks);
  if (hazards_ != nullptr) {
    message.order = std::make_shared<const VectorClock>(hazards_->sent(self));
  }
  registers_.send(self.id, line, receivers, message);
  wake_line(self.id, line);
}

void CoreGroup::get_register(RegisterLine line) {
  Cpe& self = running();
  machine_.take_turn();
  std::optional<RegisterMessage> message;
  while (!(message = registers_.take(self.id, line))) {
    machine_.stall(
        self, Stall::Message,
        {.reason = std::string("waits in ") + get_name(line) + " for a message that nobody sends",
         .where = shared_.site,
         .is_for_message = true});
  }
  if (hazards_ != nullptr) hazards_->received(self, *message->order);
  self.message = message->value;
  if (clock_ != nullptr) {
    const std::int64_t has = clock_->receive(self.id, line, message->arrives, shared_.ticks);
    clock_->recorder().wait(self.number, Stall::Message, shared_.ticks, has);
    shared_.ticks = has;
  }
  deliver_along(self.id, line);
  wake_line(self.id, line);
}

void CoreGroup::deliver_along(int cpe, RegisterLine line) {
  // There is room now: the senders along the line go on, in an order that the seed fixes; in timed
  // mode nothing depends on the seed.
  const CpeSet senders = registers_.senders(line) & line_of(cpe, line);
  if (std::popcount(senders) < 2 || options_.seed == 0 || clock_ != nullptr) {
    for_each_cpe(senders, [&](int id) { registers_.deliver(id, line); });
    return;
  }
  std::vector<int> shuffled;
  for_each_cpe(senders, [&](int id) { shuffled.push_back(id); });
  std::shuffle(shuffled.begin(), shuffled.end(), random_);
  for (const int id : shuffled) registers_.deliver(id, line);
}

void CoreGroup::wake_line(int cpe, RegisterLine line) {
  for_each_cpe(line_of(cpe, line), [&](int id) {
    Cpe& other = *cpes_[static_cast<std::size_t>(id)];
    if (other.state == CpeState::Blocked && other.wait.is_for_message) machine_.wake(other);
  });
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
