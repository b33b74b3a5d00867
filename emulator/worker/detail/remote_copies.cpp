/// Copies from LDM to LDM (RMA): their faults at issue, and when they land.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/machine.h"
#include "emulator/worker/detail/poison.h"

namespace solway::emulator {
namespace {

std::string name_of(const RemoteCopy& copy) {
  return std::string(copy.is_get ? "an RMA get" : "an RMA put") + " of " +
         std::to_string(copy.bytes) + " bytes";
}

/// Whether a copy of `cpe` counts in [address, address + bytes) as its local counter.
bool counts_here(const RemoteCopy& copy, const Cpe& cpe, std::uint64_t address,
                 std::uint64_t bytes) {
  return copy.issuer == cpe.id && copy.local_counter - address < bytes;
}

/// Whether a copy of `issuer` counts in [address, address + bytes) of `cpe`, one of the others.
bool counts_there(const RemoteCopy& copy, const Cpe& issuer, const Cpe& cpe, std::uint64_t address,
                  std::uint64_t bytes) {
  if (!is_other(copy, cpe.id) || copy.remote_counter == 0) return false;
  const std::uint64_t there = memory_place(cpe, memory_offset(issuer, copy.remote_counter));
  return there - address < bytes;
}

}  // namespace

void CoreGroup::require_remote(const RemoteCopy& copy, int id, std::uint64_t address,
                               std::uint64_t bytes, const char* role) {
  Cpe& cpe = *cpes_[static_cast<std::size_t>(id)];
  const std::string what = name_of(copy) + ": the " + role;
  if (!machine_.in_region(address)) {
    fault("bad_transfer", copy.issued, what + " is not in the LDM", "RMA copies from LDM to LDM",
          "pass an LDM address, or use athread_dma_get or _put");
  }
  if (!machine_.in_memory_of(running(), address) && machine_.has_several_groups()) {
    fault("bad_transfer", copy.issued, what + " is in the LDM of another CPE",
          "RMA goes to a CPE of the same group by its number there, and to the place in its LDM "
          "that the address has here",
          "pass the address of the CPE's own object, and let groups exchange data through main "
          "memory");
  }
  const std::uint64_t there = same_place(address, running(), id);
  const Object* const object =
      id == running().id ? machine_.object_at(address) : Machine::ldm_object(cpe, there);
  if (object == nullptr || object->kind == ObjectKind::Unknown) {
    fault("out_of_bounds_ldm", copy.issued, what + " leaves its LDM object",
          "the address belongs to no LDM object of CPE " + std::to_string(id),
          "let all CPEs have the object at the same place");
  }
  if (holds(*object, there, bytes)) return;
  fault("out_of_bounds_ldm", copy.issued, what + " leaves its LDM object",
        quoted(*object) + " has " + std::to_string(object->size) + " bytes, and bytes " +
            std::to_string(there - object->lo) + " to " +
            std::to_string(there - object->lo + bytes) + " were asked for",
        "copy no more than the object holds", object->declared);
}

void CoreGroup::check_copy(const RemoteCopy& copy) {
  if (copy.here == 0 || copy.there == 0) {
    fault("null_pointer", copy.issued, name_of(copy) + " with a null pointer",
          "the address of the data is null", "pass the address of an LDM object");
  }
  if (((copy.here | copy.there | copy.bytes | copy.local_counter | copy.remote_counter) & 3) != 0) {
    fault("misaligned_transfer", copy.issued, name_of(copy) + " that is not a multiple of 4 bytes",
          "addresses, length and the counters' addresses must be multiples of 4",
          "move whole 4-byte words");
  }
  for_each_cpe(copy.others, [&](int id) {
    if (is_started(id)) return;
    fault("bad_transfer", copy.issued,
          name_of(copy) + ": CPE " + std::to_string(id) + " does not run",
          std::to_string(std::popcount(started_)) + " CPEs were started",
          "copy to and from CPEs that run, or start them all");
  });
  if (copy.local_counter != 0) {
    require_remote(copy, copy.issuer, copy.local_counter, 4, "local counter");
  }
  if (copy.bytes != 0) {
    require_remote(copy, copy.issuer, copy.here, copy.bytes,
                   copy.is_get ? "destination" : "source");
  }
  for_each_cpe(copy.others, [&](int id) {
    if (copy.remote_counter != 0) {
      require_remote(copy, id, copy.remote_counter, 4, "remote counter");
    }
    if (copy.bytes != 0) {
      require_remote(copy, id, copy.there, copy.bytes, copy.is_get ? "source" : "destination");
    }
  });
}

void CoreGroup::issue(RemoteCopy copy) {
  check_copy(copy);
  if (hazards_ != nullptr) hazards_->issued(copy);
  traffic_.remote += copy.bytes;
  if (clock_ != nullptr) {
    issue_timed(copy);
    return;
  }
  const bool lands = options_.landing == LandingPolicy::AtIssue ||
                     (options_.landing == LandingPolicy::Random && random_() % 2 == 0);
  copies_.push_back(copy);
  // One that waits for it already looks again.
  for_each_cpe(copy.others, [&](int id) {
    Cpe& other = *cpes_[static_cast<std::size_t>(id)];
    const bool waits = other.state == CpeState::Polling &&
                       counts_there(copy, running(), other, other.wait.address, other.wait.bytes);
    if (waits) other.state = CpeState::Ready;
  });
  if (lands) {
    land(std::prev(copies_.end()));
    return;
  }
  poison_destination(copy);
}

void CoreGroup::poison_destination(const RemoteCopy& copy) {
  if (copy.is_get) {
    poison(copy.here, copy.bytes);
    return;
  }
  for_each_cpe(copy.others, [&](int id) {
    const std::uint64_t there = same_place(copy.there, running(), id);
    if (!overlap(there, copy.bytes, copy.here, copy.bytes)) poison(there, copy.bytes);
  });
}

void CoreGroup::move_data(RemoteCopy& copy, int id) {
  if ((copy.moved >> id & 1) != 0) return;
  copy.moved |= CpeSet{1} << id;
  const Cpe& issuer = *cpes_[static_cast<std::size_t>(copy.issuer)];
  void* const here = reinterpret_cast<void*>(copy.here);
  void* const there = reinterpret_cast<void*>(same_place(copy.there, issuer, id));
  std::memmove(copy.is_get ? here : there, copy.is_get ? there : here, copy.bytes);
}

void CoreGroup::land(std::list<RemoteCopy>::iterator at) {
  RemoteCopy& copy = *at;
  copy.landed = true;
  for_each_cpe(copy.others, [&](int id) { move_data(copy, id); });
  if (copy.local_counter != 0) *reinterpret_cast<std::uint32_t*>(copy.local_counter) += 1;
  // In hazard mode counters of others rise one by one while these wait, so that what they do after
  // one copy does not depend on how far the others are.
  if (hazards_ != nullptr) return;
  for_each_cpe(copy.others, [&](int id) { count_there(copy, id); });
  copies_.erase(at);
}

void CoreGroup::count_there(RemoteCopy& copy, int id) {
  const CpeSet bit = CpeSet{1} << id;
  const bool has_counted = (copy.counted & bit) != 0;
  copy.counted |= bit;
  if (has_counted || copy.remote_counter == 0) return;
  const Cpe& issuer = *cpes_[static_cast<std::size_t>(copy.issuer)];
  *reinterpret_cast<std::uint32_t*>(same_place(copy.remote_counter, issuer, id)) += 1;
}

bool CoreGroup::try_land_copy(const Cpe& cpe, std::uint64_t address, std::uint64_t bytes) {
  for (auto at = copies_.begin(); at != copies_.end(); ++at) {
    if (!at->landed && counts_here(*at, cpe, address, bytes)) {
      land(at);
      return true;
    }
    const Cpe& issuer = *cpes_[static_cast<std::size_t>(at->issuer)];
    const bool has_counted = (at->counted >> cpe.id & 1) != 0;
    if (has_counted || !counts_there(*at, issuer, cpe, address, bytes)) continue;
    if (!at->landed) land(at);
    if (hazards_ != nullptr) count_there(*at, cpe.id);  // else it has counted, and is gone
    return true;
  }
  return false;
}

void CoreGroup::note_copies_read(Cpe& cpe, std::uint64_t address, std::uint64_t bytes) {
  std::vector<RemoteCopy*> there;
  bool all_here = true;
  for (RemoteCopy& copy : copies_) {
    const Cpe& issuer = *cpes_[static_cast<std::size_t>(copy.issuer)];
    all_here = all_here && (copy.landed || !counts_here(copy, cpe, address, bytes));
    const bool is_known = (copy.known >> cpe.id & 1) != 0;
    if (!is_known && counts_there(copy, issuer, cpe, address, bytes)) there.push_back(&copy);
  }
  const auto has_counted = [&](const RemoteCopy* copy) {
    return (copy->counted >> cpe.id & 1) != 0;
  };
  const auto risen = std::count_if(there.begin(), there.end(), has_counted);
  // A word that counts both ways says nothing until all has risen.
  const bool counts_both =
      !there.empty() && std::any_of(copies_.begin(), copies_.end(), [&](auto& c) {
        return c.done == 0 && counts_here(c, cpe, address, bytes);
      });
  if (counts_both && (!all_here || risen != std::ssize(there))) return;
  for (RemoteCopy& copy : copies_) {
    if (all_here && counts_here(copy, cpe, address, bytes)) hazards_->complete(cpe, copy);
  }
  std::vector<RemoteCopy*> proved;
  for (RemoteCopy* const copy : there) {
    // Those that may be among the risen ones in its place.
    const auto before = std::count_if(there.begin(), there.end(), [&](const RemoteCopy* other) {
      const unsigned issuer = cpe_thread(number_, copy->issuer);
      return other != copy && (copy->done == 0 || copy->done > other->order[issuer]);
    });
    if (risen > before) proved.push_back(copy);
  }
  for (RemoteCopy* const copy : proved) hazards_->remote_counter_read(cpe, *copy);
  copies_.remove_if(is_over);
}

void CoreGroup::land_copies() {
  if (clock_ != nullptr) {
    wait_for_replies();
    return;
  }
  for (auto at = copies_.begin(); at != copies_.end();) {
    const auto next = std::next(at);
    if (at->issuer == running().id && !at->landed) land(at);
    at = next;
  }
  if (hazards_ == nullptr) return;
  for (RemoteCopy& copy : copies_) {
    if (copy.issuer == running().id) hazards_->complete(running(), copy);
  }
  copies_.remove_if(is_over);
}

}  // namespace solway::emulator
