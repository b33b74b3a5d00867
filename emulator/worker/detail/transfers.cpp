#include <algorithm>
#include <cstring>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/machine.h"
#include "emulator/worker/detail/poison.h"

namespace solway::emulator {
namespace {

/// Visits the blocks in main memory, in their order.
template <typename Visitor>
void for_each_block(const Transfer& t, Visitor visit) {
  for (std::uint64_t i = 0; i < block_count(t); ++i) visit(block_address(t, i), i);
}

const char* name_of(const Transfer& t) {
  return t.direction == Transfer::Direction::Get ? "a get" : "a put";
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> main_range(const Transfer& t) {
  const std::uint64_t blocks = block_count(t);
  const std::uint64_t last = blocks == 0 ? t.main_address : block_address(t, blocks - 1);
  return {std::min(t.main_address, last), std::max(t.main_address, last) + t.block};
}

CpeSet CoreGroup::receivers(const Cpe& issuer, int mode, unsigned mask) const {
  if (mode == kOwnMode) return std::uint64_t{1} << issuer.id;
  CpeSet cpes = 0;
  for_each_cpe(started_, [&](int id) {
    const int row = id / kCpeColumns;
    const bool takes =
        mode == kBroadcastMode ? (mask >> row & 1) != 0 : row == issuer.id / kCpeColumns;
    cpes |= static_cast<CpeSet>(takes) << id;
  });
  return cpes;
}

std::uint64_t CoreGroup::same_place(std::uint64_t address, const Cpe& issuer, int other) const {
  return memory_place(*cpes_[static_cast<std::size_t>(other)], memory_offset(issuer, address));
}

void CoreGroup::poison_destination(const Transfer& t) {
  if (t.direction == Transfer::Direction::Get) {
    for_each_cpe(t.cpes,
                 [&](int id) { poison(same_place(t.ldm_address, running(), id), t.ldm_bytes); });
  } else {
    for_each_block(t, [&](std::uint64_t main, std::uint64_t) { poison(main, t.block); });
  }
}

void CoreGroup::issue(Transfer transfer, unsigned mask) {
  Cpe& cpe = running();
  transfer.cpes = receivers(cpe, transfer.mode, mask);
  transfer.ldm_bytes = transfer.mode == kRankMode ? transfer.bytes / kCpeColumns : transfer.bytes;
  check_transfer(transfer);
  if (hazards_ != nullptr) hazards_->issued(cpe, transfer);
  if (!machine_.is_shared(transfer.main_address)) {
    (transfer.direction == Transfer::Direction::Get ? traffic_.get : traffic_.put) +=
        transfer.bytes;
  }
  if (clock_ != nullptr) {
    issue_timed(cpe, transfer);
    return;
  }
  if (options_.landing != LandingPolicy::AtIssue) poison_destination(transfer);
  cpe.pending.push_back(transfer);
  cpe.idle_reads = 0;
  if (hazards_ != nullptr) {
    // Counters rise while the program waits, whenever the data have moved: what a program does
    // without waiting must not depend on the policy.
    for (Transfer& t : cpe.pending) {
      const bool now = options_.landing == LandingPolicy::AtIssue ||
                       (options_.landing == LandingPolicy::Random && random_() % 2 == 0);
      if (now) move_data(cpe, t);
    }
    return;
  }
  if (options_.landing == LandingPolicy::AtIssue) land(cpe, cpe.pending.size() - 1);
  if (options_.landing == LandingPolicy::Random) {
    for (std::size_t i = cpe.pending.size(); i-- > 0;) {
      if (random_() % 2 == 0) land(cpe, i);
    }
  }
}

void CoreGroup::check_alignment(const Transfer& t) const {
  auto& self = const_cast<CoreGroup&>(*this);
  const Site* const site = shared_.site;
  const std::string what = std::string(name_of(t)) + " of " + std::to_string(t.bytes) + " bytes";
  const std::uint64_t unit = options_.transfer_alignment;
  const auto pitch = static_cast<std::uint64_t>(t.pitch < 0 ? -t.pitch : t.pitch);
  const auto plane_pitch = static_cast<std::uint64_t>(t.plane_pitch);
  if ((t.ldm_address | t.main_address | t.bytes | t.block | pitch | plane_pitch) % unit != 0) {
    const std::string number = std::to_string(unit);
    self.fault("misaligned_transfer", site,
               what + " that is not a multiple of " + number + " bytes",
               "addresses, length, block and stride must be multiples of " + number,
               "move whole " + number + "-byte words");
  }
  if (t.counter % 4 != 0) {
    self.fault("misaligned_transfer", site, what + " with a counter between words",
               "the counter's address must be a multiple of 4", "make the counter an int");
  }
}

void CoreGroup::require_shared(const Transfer& t, const char* role) const {
  auto& self = const_cast<CoreGroup&>(*this);
  const Object& object = *machine_.object_at(t.ldm_address);
  const std::string what = std::string(name_of(t)) + " of " + std::to_string(t.bytes) + " bytes";
  if (machine_.is_shared(t.main_address)) {
    self.fault("bad_transfer", shared_.site, what + " within the scratchpad of all cores",
               "one side of a transfer into or out of it is main memory, or memory of a core",
               "move it through one of these");
  }
  if (holds(object, t.ldm_address, t.ldm_bytes)) return;
  const std::uint64_t begin = t.ldm_address - object.lo;
  self.fault("out_of_bounds_main", shared_.site, what + ": the " + role + " leaves its object",
             quoted(object) + " has " + std::to_string(object.size) + " bytes, and bytes " +
                 std::to_string(begin) + " to " + std::to_string(begin + t.ldm_bytes) +
                 " were asked for",
             "transfer no more than the object holds", object.declared);
}

void CoreGroup::check_transfer(const Transfer& t) const {
  auto& self = const_cast<CoreGroup&>(*this);
  const Site* const site = shared_.site;
  const std::string what = std::string(name_of(t)) + " of " + std::to_string(t.bytes) + " bytes";
  if (t.ldm_address == 0 || t.main_address == 0 || t.counter == 0) {
    self.fault(
        "null_pointer", site, what + " with a null pointer",
        t.counter == 0 ? "the reply counter's address is null" : "the address of the data is null",
        "pass the address of an object");
  }
  const auto require_ldm = [&](std::uint64_t address, std::uint64_t bytes, const char* role) {
    Object* const object = machine_.object_at(address);
    if (!machine_.in_region(address)) {
      self.fault("bad_transfer", site, what + std::string(": the ") + role + " is not in the LDM",
                 object->kind == ObjectKind::Unknown
                     ? "the address belongs to no object"
                     : "the address is in " + quoted(*object) + " in main memory",
                 std::string("pass an LDM address as the ") + role);
    }
    if (options_.stack == CpeStack::Main && object->kind == ObjectKind::LdmStack) {
      self.fault("bad_transfer", site, what + std::string(": the ") + role + " is not in the LDM",
                 quoted(*object) + " is on the stack, which lies in main memory",
                 "make it __thread_local, or let the stack lie in the LDM");
    }
    if (object->kind == ObjectKind::LdmHeap && !is_live(*object)) {
      self.fault("use_after_free", site, what + " after ldm_free",
                 std::string("the ") + role + " lies in a block that was freed",
                 "free the block after its last transfer", object->declared);
    }
    if (holds(*object, address, bytes)) return;
    self.fault("out_of_bounds_ldm", site,
               what + std::string(": the ") + role + " leaves its LDM object",
               object->kind == ObjectKind::Unknown
                   ? "the address belongs to no LDM object of this CPE"
                   : quoted(*object) + " has " + std::to_string(object->size) +
                         " bytes, and bytes " + std::to_string(address - object->lo) + " to " +
                         std::to_string(address - object->lo + bytes) + " were asked for",
               "transfer no more than the object holds", object->declared);
  };
  const auto [lo, hi] = main_range(t);
  check_alignment(t);
  require_ldm(t.counter, 4, "reply counter");
  if (t.mode != kOwnMode && machine_.in_region(t.ldm_address) &&
      machine_.object_at(t.ldm_address)->kind == ObjectKind::LdmStack) {
    fail({.kind = "unsupported",
          .where = site,
          .cpe = running().id,
          .what = what + " for several CPEs into an automatic variable cannot be emulated",
          .why = quoted(*machine_.object_at(t.ldm_address)) +
                 " is on the stack, and the stacks of the CPEs need not be equally deep",
          .fix = "make it __thread_local"});
  }
  if (machine_.in_region(t.main_address)) {
    self.fault("bad_transfer", site, what + ": the main-memory address is an LDM address",
               "the order of the two addresses is source, destination", "check the order");
  }
  if (t.bytes == 0) return;
  const char* const role = t.direction == Transfer::Direction::Get ? "destination" : "source";
  if (machine_.is_shared(t.ldm_address)) {
    require_shared(t, role);
  } else {
    require_ldm(t.ldm_address, t.ldm_bytes, role);
  }
  Object* const object = machine_.object_at(t.main_address);
  if (!holds(*object, lo, hi - lo)) {
    self.fault(
        "out_of_bounds_main", site, what + " leaves its object in main memory",
        object->kind == ObjectKind::Unknown
            ? "the address belongs to no object of the MPE program"
            : quoted(*object) + " has " + std::to_string(object->size) + " bytes, and bytes " +
                  std::to_string(static_cast<std::int64_t>(lo - object->lo)) + " to " +
                  std::to_string(static_cast<std::int64_t>(hi - object->lo)) + " were asked for",
        "transfer no more than the object holds", object->declared);
  }
  if (t.direction == Transfer::Direction::Put && object->store_size == 0) {
    self.fault("out_of_bounds_main", site, what + " into memory that must not be written",
               quoted(*object) + " is an \"in\" argument or a constant",
               "put into an \"out\" or \"inout\" argument");
  }
}

void CoreGroup::move_data(const Cpe& issuer, Transfer& t) {
  if (t.moved) return;
  t.moved = true;
  for_each_block(t, [&](std::uint64_t main, std::uint64_t i) {
    auto* const in_main = reinterpret_cast<void*>(main);
    std::uint64_t cpes = t.cpes;
    std::uint64_t place = i;
    if (t.mode == kRankMode) {  // dealt out along the row
      const int row = issuer.id / kCpeColumns;
      cpes &= std::uint64_t{1} << (row * kCpeColumns + static_cast<int>(i % kCpeColumns));
      place = i / kCpeColumns;
    }
    for_each_cpe(cpes, [&](int id) {
      auto* const in_ldm =
          reinterpret_cast<void*>(same_place(t.ldm_address + place * t.block, issuer, id));
      if (t.direction == Transfer::Direction::Get) {
        std::memcpy(in_ldm, in_main, t.block);
      } else {
        std::memcpy(in_main, in_ldm, t.block);
      }
    });
  });
}

void CoreGroup::land(Cpe& cpe, std::size_t index) {
  Transfer& t = cpe.pending[index];
  move_data(cpe, t);
  *reinterpret_cast<std::uint32_t*>(t.counter) += 1;
  t.counted = true;
  cpe.idle_reads = 0;
  // In hazard mode it is pending until the program has read the counter.
  if (hazards_ == nullptr) {
    cpe.pending.erase(cpe.pending.begin() + static_cast<std::ptrdiff_t>(index));
  }
}

void CoreGroup::note_counter_read(Cpe& cpe, std::uint64_t address, std::uint64_t bytes) {
  const auto counts_here = [&](const Transfer& t) { return t.counter - address < bytes; };
  for (const Transfer& t : cpe.pending) {
    if (counts_here(t) && !t.counted) return;  // any of them may be the one that is left
  }
  if (!copies_.empty()) note_copies_read(cpe, address, bytes);
  for (std::size_t i = 0; i < cpe.pending.size();) {
    const Transfer t = cpe.pending[i];
    if (!counts_here(t)) {
      ++i;
      continue;
    }
    cpe.pending.erase(cpe.pending.begin() + static_cast<std::ptrdiff_t>(i));
    hazards_->waited(cpe, t);
  }
}

void CoreGroup::read_volatile(std::uint64_t address, std::uint64_t bytes) {
  // A loop that does other things while it waits is no poll; its counter rises all the same.
  constexpr int kPatience = 16;
  if (clock_ != nullptr) {
    machine_.take_turn();
    return;
  }
  if (running().pending.empty() && copies_.empty()) return;
  if (++running().idle_reads > kPatience) try_land_one(running(), address, bytes);
  if (hazards_ != nullptr) note_counter_read(running(), address, bytes);
}

bool CoreGroup::try_land_one(Cpe& cpe, std::uint64_t address, std::uint64_t bytes) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < cpe.pending.size(); ++i) {
    const std::uint64_t counter = cpe.pending[i].counter;
    if (!cpe.pending[i].counted && counter - address < bytes) candidates.push_back(i);
  }
  if (candidates.empty()) return try_land_copy(cpe, address, bytes);
  // Transfers complete in any order; the seed picks one.
  const std::size_t pick = options_.seed == 0 ? 0 : random_() % candidates.size();
  land(cpe, candidates[pick]);
  return true;
}

void CoreGroup::land_all() {
  Cpe& cpe = running();
  if (clock_ != nullptr) {
    while (!cpe.pending.empty()) {
      machine_.stall(
          cpe, Stall::Transfer,
          {.reason = "waits for its transfers", .where = shared_.site, .is_for_transfer = true});
    }
    return;
  }
  if (hazards_ == nullptr) {
    while (!cpe.pending.empty()) land(cpe, 0);
    return;
  }
  for (std::size_t i = 0; i < cpe.pending.size(); ++i) {
    if (!cpe.pending[i].counted) land(cpe, i);
  }
  while (!cpe.pending.empty()) {
    const Transfer t = cpe.pending.front();
    cpe.pending.erase(cpe.pending.begin());
    hazards_->waited(cpe, t);
  }
}

void CoreGroup::begin_wait(std::uint64_t counter) {
  if (counter == 0) {
    fault("null_pointer", shared_.site, "a wait for a counter at a null pointer",
          "the counter's address is null", "pass the address of the reply counter");
  }
  machine_.check_access(counter, 4, counter, shared_.site, kAccessCpe);
  if (hazards_ != nullptr) {
    hazards_->load(counter, 4, shared_.site, kAccessVolatile | kAccessComputes);
  }
}

void CoreGroup::end_wait(std::uint64_t counter) {
  if (hazards_ != nullptr) note_counter_read(running(), counter, 4);
}

void CoreGroup::wait_for(std::uint64_t counter, std::uint32_t count) {
  begin_wait(counter);
  while (*reinterpret_cast<volatile std::uint32_t*>(counter) != count) {
    machine_.poll(counter, 4, shared_.site);
  }
  end_wait(counter);
}

void CoreGroup::wait_until(std::uint64_t counter, std::int32_t count) {
  begin_wait(counter);
  while (*reinterpret_cast<volatile std::int32_t*>(counter) < count) {
    machine_.poll(counter, 4, shared_.site);
  }
  end_wait(counter);
}

}  // namespace solway::emulator
