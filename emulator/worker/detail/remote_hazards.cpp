/// What hazard mode knows of copies from LDM to LDM (RMA).
#include <algorithm>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/hazards.h"

namespace solway::emulator {

std::string Hazards::copy_text(const RemoteCopy& copy, bool by_issuer) const {
  const std::string what = by_issuer
                               ? "the copy by RMA"
                               : "the copy by RMA from " + who(static_cast<unsigned>(copy.issuer));
  return what + " issued at " + to_string(copy.issued);
}

void Hazards::put_remote(const Cpe& issuer, RemoteCopy& copy) {
  const SharedWrite write{static_cast<unsigned>(issuer.id), SharedKind::Copy, 0, copy.issued};
  const std::uint64_t offset = memory_offset(issuer, copy.there);
  copy.is_whole = !load(copy.here, copy.bytes, copy.issued, kAccessTransfer);
  copy.written = order_->begin(write);
  for_each_cpe(copy.others, [&](int other) {
    const auto id = static_cast<unsigned>(other);
    const std::uint64_t there = memory_place(group_.cpe(id), offset);
    if (other == issuer.id) {
      if (there == copy.here) return;
      use_ldm(there, copy.bytes, copy.issued, LdmUse::Store);
      require_no_transfer(there, copy.bytes, copy.issued, true);
      ldm_.set(there, copy.bytes, kPendingGet);
      return;
    }
    require_idle(id, there, copy.bytes, write);
    const auto conflict =
        order_->write(copy.written, id, offset, copy.bytes, clocks_[write.issuer]);
    if (conflict) report(id, *conflict);
    ldm_.set(there, copy.bytes, kWatched);
  });
  ldm_.set(copy.here, copy.bytes, kPendingPut);
}

void Hazards::get_remote(const Cpe& issuer, RemoteCopy& copy) {
  const SharedWrite read{static_cast<unsigned>(issuer.id), SharedKind::Read, 0, copy.issued};
  const std::uint64_t offset = memory_offset(issuer, copy.there);
  use_ldm(copy.here, copy.bytes, copy.issued, LdmUse::Store);
  copy.written = order_->begin(read);
  for_each_cpe(copy.others, [&](int other) {
    const auto id = static_cast<unsigned>(other);
    const std::uint64_t there = memory_place(group_.cpe(id), offset);
    if (other == issuer.id && there == copy.here) return;
    if (ldm_.find_unwritten(there, copy.bytes)) copy.is_whole = false;
    const auto conflict = order_->read(copy.written, id, offset, copy.bytes, clocks_[read.issuer]);
    if (conflict) report(id, *conflict);
    reads_.push_back({copy.written, id, there, copy.bytes});
    ldm_.set(there, copy.bytes, kPendingPut | kWatched);
  });
  require_no_transfer(copy.here, copy.bytes, copy.issued, true);
  ldm_.set(copy.here, copy.bytes, kPendingGet);
}

void Hazards::count_remote(const Cpe& issuer, RemoteCopy& copy) {
  if (copy.remote_counter == 0) return;
  const SharedWrite count{static_cast<unsigned>(issuer.id), SharedKind::Counter, 0, copy.issued};
  const std::uint64_t offset = memory_offset(issuer, copy.remote_counter);
  copy.counter = order_->begin(count);
  for_each_cpe(copy.others, [&](int other) {
    const auto id = static_cast<unsigned>(other);
    const std::uint64_t counter = memory_place(group_.cpe(id), offset);
    if (other == issuer.id) {
      ldm_.set(counter, 4, kCounting);
      return;
    }
    const auto conflict = order_->write(copy.counter, id, offset, 4, clocks_[count.issuer]);
    if (conflict) report(id, *conflict);
    ldm_.set(counter, 4, kWatched);
  });
}

void Hazards::issued(RemoteCopy& copy) {
  const Cpe& issuer = *group_.running();
  const auto id = static_cast<unsigned>(issuer.id);
  if (copy.is_get) {
    get_remote(issuer, copy);
  } else {
    put_remote(issuer, copy);
  }
  count_remote(issuer, copy);
  if (copy.local_counter != 0) ldm_.set(copy.local_counter, 4, kCounting);
  copy.order = clocks_[id];
  clocks_[id].advance(id);
  watch(id);
}

void Hazards::remote_counter_read(const Cpe& cpe, RemoteCopy& copy) {
  const auto id = static_cast<unsigned>(cpe.id);
  if ((copy.known >> id & 1) != 0) return;
  const Cpe& issuer = group_.cpe(static_cast<unsigned>(copy.issuer));
  clocks_[id].join(copy.order);
  copy.known |= CpeSet{1} << id;
  copy.step[id] = clocks_[id][id];
  const std::uint64_t there = memory_place(cpe, memory_offset(issuer, copy.there));
  if (copy.is_get) {
    std::erase_if(reads_, [&](const RemoteRead& read) {
      return read.number == copy.written && read.cpe == id;
    });
    ldm_.clear(there, copy.bytes, kPendingPut);
  } else {
    if (cpe.id == issuer.id && there != copy.here) ldm_.clear(there, copy.bytes, kPendingGet);
    if (copy.is_whole) ldm_.clear(there, copy.bytes, kUnwritten);
    order_->acknowledge(copy.written, id, memory_offset(issuer, copy.there), copy.bytes,
                        clocks_[id]);
  }
  if (cpe.id == issuer.id) {
    ldm_.clear(copy.remote_counter, 4, kCounting);
  } else {
    order_->acknowledge(copy.counter, id, memory_offset(issuer, copy.remote_counter), 4,
                        clocks_[id]);
  }
}

void Hazards::complete(RemoteCopy& copy) {
  if (copy.done != 0) return;
  const auto id = static_cast<unsigned>(copy.issuer);
  const Cpe& issuer = group_.cpe(id);
  const std::uint32_t step = clocks_[id][id];
  copy.done = step;
  order_->finish(copy.written, step);
  if (copy.counter != 0) order_->finish(copy.counter, step);
  ldm_.clear(copy.here, copy.bytes, copy.is_get ? kPendingGet : kPendingPut);
  if (copy.is_get && copy.is_whole) ldm_.clear(copy.here, copy.bytes, kUnwritten);
  for_each_cpe(copy.others, [&](int other) {
    const std::uint64_t there =
        memory_place(group_.cpe(static_cast<unsigned>(other)), memory_offset(issuer, copy.there));
    if (copy.is_get) return;
    if (other == issuer.id && there != copy.here) ldm_.clear(there, copy.bytes, kPendingGet);
    if (copy.is_whole) ldm_.clear(there, copy.bytes, kUnwritten);
  });
  if (copy.local_counter != 0) ldm_.clear(copy.local_counter, 4, kCounting);
  if (copy.remote_counter != 0 && is_other(copy, issuer.id)) {
    ldm_.clear(copy.remote_counter, 4, kCounting);
  }
  // What other copies and transfers of this CPE still use.
  for (const RemoteCopy& other : group_.copies()) {
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
  const auto id = static_cast<unsigned>(cpe.id);
  group_.copies().remove_if([&](RemoteCopy& copy) {
    const auto all_others = [&](auto holds) {
      bool all = true;
      for_each_cpe(copy.others,
                   [&](int other) { all = all && holds(static_cast<unsigned>(other)); });
      return all;
    };
    const auto has_told = [&](unsigned other) {
      return (copy.known >> other & 1) != 0 && copy.step[other] <= clocks_[id][other];
    };
    const auto issuer = static_cast<unsigned>(copy.issuer);
    const auto comes_after = [&](unsigned other) {
      return (copy.known >> other & 1) != 0 || copy.done <= clocks_[other][issuer];
    };
    if (copy.issuer == cpe.id && copy.done == 0 && all_others(has_told)) complete(copy);
    if (copy.done == 0 || !all_others(comes_after)) return false;
    for_each_cpe(copy.others, [&](int other) { group_.count_there(copy, other); });
    return true;
  });
}

bool Hazards::is_read_before(std::uint64_t address, std::uint64_t bytes, const Site* site) {
  const auto id = static_cast<unsigned>(group_.running()->id);
  bool found = false;
  std::erase_if(reads_, [&](const RemoteRead& read) {
    if (read.cpe != id || !overlap(read.address, read.bytes, address, bytes)) return false;
    if (!order_->comes_before(read.number, clocks_[id])) {
      const std::uint64_t first = std::max(read.address, address);
      report(id, {order_->at(read.number), std::nullopt, site,
                  memory_offset(*group_.running(), first) / 4 * 4});
    }
    ldm_.clear(read.address, read.bytes, kPendingPut);
    found = true;
    return true;
  });
  if (!found) return false;
  for (const RemoteRead& read : reads_) {
    if (read.cpe == id) ldm_.set(read.address, read.bytes, kPendingPut);
  }
  for (const Transfer& own : group_.running()->pending) {
    if (own.direction == Transfer::Direction::Put) {
      ldm_.set(own.ldm_address, own.ldm_bytes, kPendingPut);
    }
  }
  for (const RemoteCopy& copy : group_.copies()) {
    if (copy.issuer == static_cast<int>(id) && !copy.is_get && copy.done == 0) {
      ldm_.set(copy.here, copy.bytes, kPendingPut);
    }
  }
  return !ldm_.find(address, bytes, kPendingPut);
}

}  // namespace solway::emulator
