#include "emulator/worker/detail/hazards.h"

#include <algorithm>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {
namespace {

bool is_get(const Transfer& t) { return t.direction == Transfer::Direction::Get; }

/// An argument of the kernel, and no static or block of the MPE program.
bool is_argument(const Object& object) {
  return object.kind == ObjectKind::Main && object.declared == nullptr;
}

}  // namespace

Hazards::Hazards(Machine& machine, std::uint64_t region, std::uint64_t region_bytes,
                 std::uint64_t shares_ldm)
    : machine_(machine), ldm_(region, region_bytes), shares_ldm_(shares_ldm) {
  clocks_.resize(kFirstThreads);
  clocks_[kMpeThread].advance(kMpeThread);
}

void Hazards::add(CoreGroup& group) {
  const unsigned first = cpe_thread(group.number(), 0);
  clocks_.resize(std::max<std::size_t>(clocks_.size(), first + kCpes));
  for (unsigned i = first; i < first + kCpes; ++i) clocks_[i].advance(i);
  if (shares_ldm_ == 0) return;
  group.ldm_order() = std::make_unique<LdmOrder>(
      kCpes, memory_bytes(group.cpe(0), group.options().ldm_bytes), first);
}

LdmOrder* Hazards::order_of(const Cpe& cpe) { return cpe.group->ldm_order().get(); }

void Hazards::spawned(CoreGroup& group, CpeSet cpes) {
  const unsigned mpe = machine_.mpe().thread;
  for_each_cpe(cpes, [&](int id) {
    clock_of(group.cpe(id)).join(clocks_[mpe]);
    watch(group.cpe(id));
  });
  clocks_[mpe].advance(mpe);
}

void Hazards::joined(CoreGroup& group, CpeSet cpes) {
  for_each_cpe(cpes, [&](int id) {
    const unsigned i = group.cpe(id).thread;
    clocks_[machine_.mpe().thread].join(clocks_[i]);
    clocks_[i].advance(i);
  });
}

void Hazards::met(const std::vector<Cpe*>& members) {
  VectorClock all;
  for (const Cpe* const cpe : members) all.join(clock_of(*cpe));
  for (const Cpe* const cpe : members) {
    clock_of(*cpe) = all;
    clock_of(*cpe).advance(cpe->thread);
    watch(*cpe);
  }
  for (const Cpe* const cpe : members) settle(*cpe);
}

VectorClock Hazards::sent(const Cpe& cpe) {
  const VectorClock order = clock_of(cpe);
  clock_of(cpe).advance(cpe.thread);
  watch(cpe);
  return order;
}

void Hazards::received(const Cpe& cpe, const VectorClock& order) {
  clock_of(cpe).join(order);
  settle(cpe);
}

std::string Hazards::bytes_text(std::uint64_t address, std::uint64_t bytes) const {
  Object* const object = machine_.object_at(address);
  if (object->kind == ObjectKind::Unknown) return std::to_string(bytes) + " bytes";
  const std::uint64_t begin = address - object->lo;
  return "bytes " + std::to_string(begin) + " to " + std::to_string(begin + bytes) + " of " +
         quoted(*object);
}

std::string Hazards::on_cpe() const {
  return machine_.has_several_groups() ? "" : "on " + machine_.name_of(*machine_.running()) + ", ";
}

std::string Hazards::transfer_text(const Transfer& t) const {
  return std::string(is_get(t) ? "the get into " : "the put from ") +
         bytes_text(t.ldm_address, t.ldm_bytes) + " at " + to_string(t.issued);
}

Hazards::Pending Hazards::pending_at(std::uint64_t address) const {
  const Cpe& cpe = *machine_.running();
  const Transfer* found = nullptr;
  for (const Transfer& t : cpe.pending) {
    if (address - t.ldm_address < t.ldm_bytes) return {transfer_text(t), t.issued};
    if (address - t.counter < 4) found = &t;
  }
  if (found != nullptr) return {transfer_text(*found), found->issued};
  for (const RemoteCopy& copy : cpe.group->copies()) {
    const bool by_issuer = copy.issuer == cpe.id;
    if (copy.done == 0 && (by_issuer || is_other(copy, cpe.id)))
      return {copy_text(copy, by_issuer), copy.issued};
  }
  return {"a transfer", nullptr};
}

bool Hazards::load(std::uint64_t address, std::uint64_t bytes, const Site* site,
                   std::uint32_t flags) {
  const bool is_poll = (flags & kAccessVolatile) != 0 && (shares_ldm_ & ~kSharesByTransfer) != 0;
  use_ldm(address, bytes, site, is_poll ? LdmUse::Poll : LdmUse::Load);
  if (const auto early = ldm_.find(address, bytes, kPendingGet)) {
    const Pending t = pending_at(*early);
    machine_.fault("read_before_complete", site, "LDM is read before the get into it is complete",
                   on_cpe() + bytes_text(address, bytes) + " are read, and " + t.text +
                       " has not been waited for",
                   "wait until its reply counter has risen, then read", t.issued);
  }
  if ((flags & (kAccessVolatile | kAccessTransfer)) == 0) {
    if (const auto counter = ldm_.find(address, bytes, kCounting)) {
      const Pending t = pending_at(*counter);
      machine_.fault("nonvolatile_reply", site, "a reply counter that is not volatile is read",
                     on_cpe() + bytes_text(address, bytes) + " count " + t.text +
                         ", and the compiler may read them once only",
                     "declare the counter volatile", t.issued);
    }
  }
  const auto unwritten = ldm_.find_unwritten(address, bytes);
  if (!unwritten) return false;
  if ((flags & kAccessComputes) != 0) unwritten_used(address, bytes, site);
  return true;
}

void Hazards::unwritten_used(std::uint64_t address, std::uint64_t bytes, const Site* site) {
  // Perhaps another CPE is to write them, and the fault is that nothing orders the two.
  if (shares_ldm_ != 0) machine_.let_others_go_on();
  const std::uint64_t first = ldm_.find_unwritten(address, bytes).value_or(address);
  Object* const object = machine_.object_at(address);
  machine_.fault("uninitialised_read", site, "LDM that nobody wrote is used",
                 on_cpe() + bytes_text(first, address + bytes - first) + " have no value yet",
                 "give them a value, or get them from main memory, before this", object->declared);
}

void Hazards::unwritten_stored(std::uint64_t address, std::uint64_t bytes, std::uint64_t from,
                               const Site* site) {
  if (ldm_.holds(address)) {
    ldm_.mark_unwritten(address, bytes);
  } else if (is_argument(*machine_.object_at(address))) {
    unwritten_used(from, bytes, site);
  }
}

void Hazards::require_no_transfer(std::uint64_t address, std::uint64_t bytes, const Site* site,
                                  bool by_get) {
  if (const auto hit = ldm_.find(address, bytes, kCounting)) {
    const Pending t = pending_at(*hit);
    machine_.fault("counter_reset_while_pending", site,
                   "a reply counter is written while a transfer counts in it",
                   on_cpe() + bytes_text(address, bytes) + " count " + t.text +
                       ", which has not been waited for",
                   "wait for the transfer first", t.issued);
  }
  if (const auto hit = ldm_.find(address, bytes, kPendingGet)) {
    const Pending t = pending_at(*hit);
    machine_.fault(by_get ? "overlapping_transfers" : "write_before_complete", site,
                   by_get ? "two gets that nobody waited for write the same LDM"
                          : "LDM is written while a get into it goes on",
                   on_cpe() + bytes_text(address, bytes) + " are written, and " + t.text +
                       " has not been waited for",
                   "wait until its reply counter has risen first", t.issued);
  }
  const auto hit = ldm_.find(address, bytes, kPendingPut);
  if (hit && !is_read_before(address, bytes, site)) {
    const Pending t = pending_at(*hit);
    machine_.fault("write_before_complete", site,
                   "LDM is written before the put from it is complete",
                   on_cpe() + bytes_text(address, bytes) + " are written, and " + t.text +
                       " has not been waited for",
                   "wait until its reply counter has risen, then write", t.issued);
  }
}

void Hazards::store(std::uint64_t address, std::uint64_t bytes, const Site* site) {
  use_ldm(address, bytes, site, LdmUse::Store);
  require_no_transfer(address, bytes, site, false);
  ldm_.mark_written(address, bytes);
}

void Hazards::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes, const Site* site) {
  const bool unwritten = ldm_.holds(from) && load(from, bytes, site, 0);
  if (!ldm_.holds(from)) main(from, bytes, nullptr, site, false);
  if (!ldm_.holds(to)) {
    if (unwritten) unwritten_stored(to, bytes, from, site);
    main(to, bytes, nullptr, site, true);
    return;
  }
  std::vector<std::uint64_t> holes;
  if (unwritten) {
    for (std::uint64_t i = 0; i < bytes; ++i) {
      if (ldm_.find_unwritten(from + i, 1)) holes.push_back(i);
    }
  }
  store(to, bytes, site);
  for (const std::uint64_t i : holes) ldm_.mark_unwritten(to + i, 1);
}

void Hazards::access(std::uint64_t address, std::uint64_t bytes, const Site* site, bool write) {
  if (!ldm_.holds(address)) {
    main(address, bytes, nullptr, site, write);
  } else if (write) {
    store(address, bytes, site);
  } else {
    load(address, bytes, site, 0);
  }
}

void Hazards::misaligned(std::uint64_t address, std::uint64_t align, const Site* site) {
  Object* const object = machine_.object_at(address);
  machine_.fault("misaligned_access", site,
                 "a vector access of an address that is not a multiple of " + std::to_string(align),
                 object->kind == ObjectKind::Unknown
                     ? on_cpe() + "the address is " + std::to_string(address % align) + " past one"
                     : on_cpe() + "it is byte " + std::to_string(address - object->lo) + " of " +
                           quoted(*object) + ", " + std::to_string(address % align) +
                           " bytes past such an address",
                 "use simd_loadu or simd_storeu, or align the data", object->declared);
}

MainCell* Hazards::cells_of(Object& object, std::uint64_t address) {
  if (object.cells == nullptr) {
    cells_.push_back(std::make_unique<MainCell[]>(MainShadow::cell_count(object.lo, object.size)));
    object.cells = cells_.back().get();
  }
  return static_cast<MainCell*>(object.cells) + ((address >> 2) - (object.lo >> 2));
}

void Hazards::main(std::uint64_t address, std::uint64_t bytes, Object* object, const Site* site,
                   bool write) {
  if (bytes == 0 || ldm_.holds(address)) return;
  if (object == nullptr || !holds(*object, address, bytes)) object = machine_.object_at(address);
  if (object->kind == ObjectKind::Unknown || !holds(*object, address, bytes)) return;
  if (object->store_size == 0) return;  // nobody writes it
  const Cpe* const cpe = machine_.running();
  const unsigned thread = cpe == nullptr ? machine_.mpe().thread : cpe->thread;
  const VectorClock& clock = clocks_[thread];
  const MainAccess access{thread, clock[thread], write, false, site};
  const auto conflict = main_.access(cells_of(*object, address), address, bytes, access, clock);
  // Threads of the MPE may have ways to wait for each other that nobody watches.
  if (conflict && (cpe != nullptr || !is_mpe_thread(conflict->other.thread))) {
    report(*conflict, access);
  }
}

void Hazards::touch_main(const Transfer& t, const MainAccess& access) {
  if (t.bytes == 0) return;
  Object* const object = machine_.object_at(t.main_address);
  if (object->store_size == 0) return;
  for (std::uint64_t i = 0; i < block_count(t); ++i) {
    const std::uint64_t main = block_address(t, i);
    if (access.step == kUnfinished) {
      const auto conflict =
          main_.access(cells_of(*object, main), main, t.block, access, clocks_[access.thread]);
      if (conflict) report(*conflict, access);
    } else {
      main_.finish(cells_of(*object, main), main, t.block, access);
    }
  }
}

void Hazards::issued(Cpe& cpe, Transfer& t) {
  const std::uint64_t own_bytes = takes_part(t, cpe.id) ? t.ldm_bytes : 0;
  if (is_shared(t)) {
    touch_shared(t, {cpe.thread, kUnfinished, is_get(t), true, t.issued});
  } else if (is_get(t)) {
    use_ldm(t.ldm_address, own_bytes, t.issued, LdmUse::Store);
    require_no_transfer(t.ldm_address, own_bytes, t.issued, true);
  } else {
    const bool unwritten = load(t.ldm_address, t.ldm_bytes, t.issued, kAccessTransfer);
    if (unwritten && is_argument(*machine_.object_at(t.main_address))) {
      unwritten_used(t.ldm_address, t.ldm_bytes, t.issued);
    }
  }
  if (t.mode != kOwnMode) write_others(cpe, t);
  touch_main(t, {cpe.thread, kUnfinished, !is_get(t), true, t.issued});
  if (!is_shared(t)) ldm_.set(t.ldm_address, own_bytes, is_get(t) ? kPendingGet : kPendingPut);
  ldm_.set(t.counter, 4, kCounting);
}

void Hazards::waited(Cpe& cpe, const Transfer& t) {
  const unsigned thread = cpe.thread;
  LdmOrder* const order = order_of(cpe);
  if (is_shared(t)) {
    touch_shared(t, {thread, step_of(cpe), is_get(t), true, t.issued});
  } else if (takes_part(t, cpe.id)) {
    ldm_.clear(t.ldm_address, t.ldm_bytes, is_get(t) ? kPendingGet | kUnwritten : kPendingPut);
    if (order != nullptr) ldm_.set(t.ldm_address, t.ldm_bytes, kWatched);
    // Until now.
    use_ldm(t.ldm_address, t.ldm_bytes, t.issued, is_get(t) ? LdmUse::Store : LdmUse::Load);
  }
  if (t.shared != 0) {
    order->finish(t.shared, step_of(cpe));
    const std::uint64_t offset = memory_offset(cpe, t.ldm_address);
    for_each_cpe(t.cpes, [&](int id) {
      ldm_.clear(memory_place(cpe.group->cpe(id), offset), t.ldm_bytes, kUnwritten);
    });
  }
  ldm_.clear(t.counter, 4, kCounting);
  touch_main(t, {thread, step_of(cpe), !is_get(t), true, t.issued});
  for (const Transfer& other : cpe.pending) {
    ldm_.set(other.counter, 4, kCounting);
    if (is_get(other) != is_get(t)) continue;
    if (takes_part(t, cpe.id) && takes_part(other, cpe.id) &&
        overlap(t.ldm_address, t.ldm_bytes, other.ldm_address, other.ldm_bytes)) {
      goes_on(cpe, other);
    }
    if (!is_get(t)) continue;  // two puts do not share bytes of main memory
    const auto [lo, hi] = main_range(t);
    const auto [other_lo, other_hi] = main_range(other);
    if (!overlap(lo, hi - lo, other_lo, other_hi - other_lo)) continue;
    touch_main(other, {thread, kUnfinished, false, true, other.issued});
  }
}

void Hazards::report(const MainConflict& conflict, const MainAccess& access) {
  const MainAccess* sufferer = &access;
  const MainAccess* culprit = &conflict.other;
  const bool swap = access.write != conflict.other.write
                        ? access.write
                        : stands_after(conflict.other.site, access.site);
  if (swap && access.thread != conflict.other.thread) std::swap(sufferer, culprit);
  const auto verb = [](const MainAccess& a) {
    return std::string(a.transfer ? (a.write ? "puts" : "gets") : (a.write ? "writes" : "reads"));
  };
  const std::string why = bytes_text(conflict.address, conflict.bytes) + ": " +
                          machine_.name_of(culprit->thread) + " " + verb(*culprit) + " them at " +
                          to_string(culprit->site) + ", " + machine_.name_of(sufferer->thread) +
                          " " + verb(*sufferer) + " them here, and nothing orders the two";
  if (machine_.is_shared(conflict.address)) report_shared(conflict, *culprit, *sufferer);
  const Cpe* const cpe = machine_.cpe_of(sufferer->thread);
  const Cpe* const other = machine_.cpe_of(culprit->thread);
  const bool may_join = other != nullptr && other->task.starter == sufferer->thread;
  if (cpe == nullptr && may_join && !sufferer->write) {
    fail({.kind = "missing_join",
          .where = sufferer->site,
          .cause = other->task.started,
          .what = "the MPE uses a result before athread_join",
          .why = why,
          .fix = std::string("call ") + other->task.joined_by + "() first"});
  }
  const bool own = sufferer->thread == culprit->thread;
  const bool pending = conflict.other.step == kUnfinished;
  const char* const groups_meet = machine_.options().machine_barrier_name;
  const bool of_groups = cpe != nullptr && other != nullptr && cpe->group != other->group;
  const std::string meet = !of_groups               ? "athread_syn"
                           : groups_meet != nullptr ? groups_meet
                                                    : "the MPE's pthread_barrier_wait";
  fail({.kind = "main_memory_race",
        .where = sufferer->site,
        .cause = same_line(sufferer->site, culprit->site) ? nullptr : culprit->site,
        .cpe = cpe == nullptr ? -1 : cpe->id,
        .group = machine_.failure_group(cpe),
        .what = "two accesses to the same bytes of main memory, one of them a write, without order",
        .why = why,
        .fix = own       ? "wait for the first transfer before the second"
               : pending ? "wait for the transfer, then let both meet in " + meet
                         : "let each CPE write bytes of its own, or put " + meet + " between"});
}

}  // namespace solway::emulator
