/// What hazard mode knows of copies from LDM to LDM (RMA).
#include <algorithm>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/hazards.h"
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {

std::string Hazards::copy_text(const RemoteCopy& copy, bool by_issuer) const {
  const Cpe& issuer = machine_.running()->group->cpe(copy.issuer);
  const std::string what =
      by_issuer ? "the copy by RMA" : "the copy by RMA from " + machine_.name_of(issuer);
  return what + " issued at " + to_string(copy.issued);
}

void Hazards::put_remote(const Cpe& issuer, RemoteCopy& copy) {
  LdmOrder& order = *order_of(issuer);
  const SharedWrite write{issuer.thread, SharedKind::Copy, 0, copy.issued};
  const std::uint64_t offset = memory_offset(issuer, copy.there);
  copy.is_whole = !load(copy.here, copy.bytes, copy.issued, kAccessTransfer);
  copy.written = order.begin(write);
  for_each_cpe(copy.others, [&](int other) {
    const auto id = static_cast<unsigned>(other);
    const Cpe& cpe = issuer.group->cpe(other);
    const std::uint64_t there = memory_place(cpe, offset);
    if (other == issuer.id) {
      if (there == copy.here) return;
      use_ldm(there, copy.bytes, copy.issued, LdmUse::Store);
      require_no_transfer(there, copy.bytes, copy.issued, true);
      ldm_.set(there, copy.bytes, kPendingGet);
      return;
    }
    require_idle(cpe, there, copy.bytes, write);
    const auto conflict = order.write(copy.written, id, offset, copy.bytes, clock_of(issuer));
    if (conflict) report(cpe, *conflict);
    ldm_.set(there, copy.bytes, kWatched);
  });
  ldm_.set(copy.here, copy.bytes, kPendingPut);
}

void Hazards::get_remote(const Cpe& issuer, RemoteCopy& copy) {
  LdmOrder& order = *order_of(issuer);
  const SharedWrite read{issuer.thread, SharedKind::Read, 0, copy.issued};
  const std::uint64_t offset = memory_offset(issuer, copy.there);
  use_ldm(copy.here, copy.bytes, copy.issued, LdmUse::Store);
  copy.written = order.begin(read);
  for_each_cpe(copy.others, [&](int other) {
    const auto id = static_cast<unsigned>(other);
    const Cpe& cpe = issuer.group->cpe(other);
    const std::uint64_t there = memory_place(cpe, offset);
    if (other == issuer.id && there == copy.here) return;
    if (ldm_.find_unwritten(there, copy.bytes)) copy.is_whole = false;
    const auto conflict = order.read(copy.written, id, offset, copy.bytes, clock_of(issuer));
    if (conflict) report(cpe, *conflict);
    reads_.push_back({copy.written, cpe.thread, there, copy.bytes});
    ldm_.set(there, copy.bytes, kPendingPut | kWatched);
  });
  require_no_transfer(copy.here, copy.bytes, copy.issued, true);
  ldm_.set(copy.here, copy.bytes, kPendingGet);
}

void Hazards::count_remote(const Cpe& issuer, RemoteCopy& copy) {
  LdmOrder& order = *order_of(issuer);
  if (copy.remote_counter == 0) return;
  const SharedWrite count{issuer.thread, SharedKind::Counter, 0, copy.issued};
  const std::uint64_t offset = memory_offset(issuer, copy.remote_counter);
  copy.counter = order.begin(count);
  for_each_cpe(copy.others, [&](int other) {
    const auto id = static_cast<unsigned>(other);
    const Cpe& cpe = issuer.group->cpe(other);
    const std::uint64_t counter = memory_place(cpe, offset);
    if (other == issuer.id) {
      ldm_.set(counter, 4, kCounting);
      return;
    }
    const auto conflict = order.write(copy.counter, id, offset, 4, clock_of(issuer));
    if (conflict) report(cpe, *conflict);
    ldm_.set(counter, 4, kWatched);
  });
}

void Hazards::issued(RemoteCopy& copy) {
  const Cpe& issuer = *machine_.running();
  if (copy.is_get) {
    get_remote(issuer, copy);
  } else {
    put_remote(issuer, copy);
  }
  count_remote(issuer, copy);
  if (copy.local_counter != 0) ldm_.set(copy.local_counter, 4, kCounting);
  copy.order = clock_of(issuer);
  clock_of(issuer).advance(issuer.thread);
  watch(issuer);
}

void Hazards::remote_counter_read(const Cpe& cpe, RemoteCopy& copy) {
  const auto id = static_cast<unsigned>(cpe.id);
  if ((copy.known >> id & 1) != 0) return;
  LdmOrder& order = *order_of(cpe);
  const Cpe& issuer = cpe.group->cpe(copy.issuer);
  clock_of(cpe).join(copy.order);
  copy.known |= CpeSet{1} << id;
  copy.step[id] = step_of(cpe);
  const std::uint64_t there = memory_place(cpe, memory_offset(issuer, copy.there));
  if (copy.is_get) {
    std::erase_if(reads_, [&](const RemoteRead& read) {
      return read.number == copy.written && read.thread == cpe.thread;
    });
    ldm_.clear(there, copy.bytes, kPendingPut);
  } else {
    if (cpe.id == issuer.id && there != copy.here) ldm_.clear(there, copy.bytes, kPendingGet);
    if (copy.is_whole) ldm_.clear(there, copy.bytes, kUnwritten);
    order.acknowledge(copy.written, id, memory_offset(issuer, copy.there), copy.bytes,
                      clock_of(cpe));
  }
  if (cpe.id == issuer.id) {
    ldm_.clear(copy.remote_counter, 4, kCounting);
  } else {
    order.acknowledge(copy.counter, id, memory_offset(issuer, copy.remote_counter), 4,
                      clock_of(cpe));
  }
}

void Hazards::complete(const Cpe& issuer, RemoteCopy& copy) {
  if (copy.done != 0) return;
  LdmOrder& order = *order_of(issuer);
  const std::uint32_t step = step_of(issuer);
  copy.done = step;
  order.finish(copy.written, step);
  if (copy.counter != 0) order.finish(copy.counter, step);
  ldm_.clear(copy.here, copy.bytes, copy.is_get ? kPendingGet : kPendingPut);
  if (copy.is_get && copy.is_whole) ldm_.clear(copy.here, copy.bytes, kUnwritten);
  for_each_cpe(copy.others, [&](int other) {
    const std::uint64_t there =
        memory_place(issuer.group->cpe(other), memory_offset(issuer, copy.there));
    if (copy.is_get) return;
    if (other == issuer.id && there != copy.here) ldm_.clear(there, copy.bytes, kPendingGet);
    if (copy.is_whole) ldm_.clear(there, copy.bytes, kUnwritten);
  });
  if (copy.local_counter != 0) ldm_.clear(copy.local_counter, 4, kCounting);
  if (copy.remote_counter != 0 && is_other(copy, issuer.id)) {
    ldm_.clear(copy.remote_counter, 4, kCounting);
  }
  // What other copies and transfers of this CPE still use.
  for (const RemoteCopy& other : issuer.group->copies()) {
    if (other.done != 0 || other.issuer != issuer.id) continue;
    ldm_.set(other.here, other.bytes, other.is_get ? kPendingGet : kPendingPut);
    if (other.local_counter != 0) ldm_.set(other.local_counter, 4, kCounting);
  }
  for (const Transfer& other : issuer.pending) {
    if (other.counter != 0) ldm_.set(other.counter, 4, kCounting);
    const bool is_put = other.direction == Transfer::Direction::Put;
    if (is_put && !copy.is_get) ldm_.set(other.ldm_address, other.ldm_bytes, kPendingPut);
  }
}

void Hazards::settle(const Cpe& cpe) {
  CoreGroup& group = *cpe.group;
  group.copies().remove_if([&](RemoteCopy& copy) {
    const auto all_others = [&](auto holds) {
      bool all = true;
      for_each_cpe(copy.others, [&](int other) { all = all && holds(group.cpe(other)); });
      return all;
    };
    const auto is_known_to = [&](const Cpe& other) { return (copy.known >> other.id & 1) != 0; };
    const auto has_told = [&](const Cpe& other) {
      return is_known_to(other) &&
             copy.step[static_cast<std::size_t>(other.id)] <= clock_of(cpe)[other.thread];
    };
    const unsigned issuer = group.cpe(copy.issuer).thread;
    const auto comes_after = [&](const Cpe& other) {
      return is_known_to(other) || copy.done <= clock_of(other)[issuer];
    };
    if (copy.issuer == cpe.id && copy.done == 0 && all_others(has_told)) complete(cpe, copy);
    if (copy.done == 0 || !all_others(comes_after)) return false;
    for_each_cpe(copy.others, [&](int other) { group.count_there(copy, other); });
    return true;
  });
}

bool Hazards::is_read_before(std::uint64_t address, std::uint64_t bytes, const Site* site) {
  const Cpe& cpe = *machine_.running();
  const LdmOrder* const order = order_of(cpe);
  bool found = false;
  std::erase_if(reads_, [&](const RemoteRead& read) {
    if (read.thread != cpe.thread || !overlap(read.address, read.bytes, address, bytes))
      return false;
    if (!order->comes_before(read.number, clock_of(cpe))) {
      const std::uint64_t first = std::max(read.address, address);
      report(cpe, {order->at(read.number), std::nullopt, site, memory_offset(cpe, first) / 4 * 4});
    }
    ldm_.clear(read.address, read.bytes, kPendingPut);
    found = true;
    return true;
  });
  if (!found) return false;
  for (const RemoteRead& read : reads_) {
    if (read.thread == cpe.thread) ldm_.set(read.address, read.bytes, kPendingPut);
  }
  for (const Transfer& own : cpe.pending) {
    if (own.direction == Transfer::Direction::Put) {
      ldm_.set(own.ldm_address, own.ldm_bytes, kPendingPut);
    }
  }
  for (const RemoteCopy& copy : cpe.group->copies()) {
    if (copy.issuer == cpe.id && !copy.is_get && copy.done == 0) {
      ldm_.set(copy.here, copy.bytes, kPendingPut);
    }
  }
  return !ldm_.find(address, bytes, kPendingPut);
}

}  // namespace solway::emulator
