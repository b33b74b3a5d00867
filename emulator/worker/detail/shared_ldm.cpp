/// What hazard mode knows of transfers that go into the LDM of several CPEs.
#include <algorithm>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/hazards.h"
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {

void Hazards::use_ldm(std::uint64_t address, std::uint64_t bytes, const Site* site, LdmUse kind) {
  const Cpe* const cpe = machine_.running();
  if (shares_ldm_ == 0 || cpe == nullptr || !ldm_.find(address, bytes, kWatched)) return;
  const auto conflict =
      order_of(*cpe)->use(static_cast<unsigned>(cpe->id), memory_offset(*cpe, address), bytes, site,
                          clock_of(*cpe), kind);
  if (conflict) report(*cpe, *conflict);
  // Where others get from, a store counts that comes after a load.
  const bool is_last = kind == LdmUse::Store || (shares_ldm_ & kSharesByGet) == 0;
  if (kind != LdmUse::Poll && is_last) ldm_.clear(address, bytes, kWatched);
}

void Hazards::watch(const Cpe& cpe) {
  if (shares_ldm_ == 0) return;
  const auto ldm = reinterpret_cast<std::uint64_t>(cpe.ldm);
  ldm_.set(ldm, machine_.options().ldm_bytes, kWatched);
  if (shares_ldm_ == kSharesByTransfer || cpe.frames == nullptr) return;
  ldm_.set(cpe.frames->lo, ldm - cpe.frames->lo, kWatched);  // automatic variables
}

void Hazards::write_others(const Cpe& issuer, Transfer& t) {
  const std::uint64_t offset = memory_offset(issuer, t.ldm_address);
  const SharedWrite write{issuer.thread,
                          t.mode == kBroadcastMode ? SharedKind::Broadcast : SharedKind::Deal,
                          kUnfinished, t.issued};
  LdmOrder& order = *order_of(issuer);
  t.shared = order.begin(write);
  for_each_cpe(t.cpes, [&](int other) {
    if (other == issuer.id) return;
    const Cpe& cpe = issuer.group->cpe(other);
    const std::uint64_t there = memory_place(cpe, offset);
    require_idle(cpe, there, t.ldm_bytes, write);
    const auto conflict =
        order.write(t.shared, static_cast<unsigned>(other), offset, t.ldm_bytes, clock_of(issuer));
    if (conflict) report(cpe, *conflict);
    ldm_.set(there, t.ldm_bytes, kWatched);
  });
}

void Hazards::require_idle(const Cpe& cpe, std::uint64_t address, std::uint64_t bytes,
                           const SharedWrite& write) {
  if (!ldm_.find(address, bytes, kPendingGet | kPendingPut)) return;
  for (const Transfer& own : cpe.pending) {
    if (!overlap(own.ldm_address, own.ldm_bytes, address, bytes)) continue;
    const auto first = memory_offset(cpe, std::max(own.ldm_address, address));
    report(cpe, {write, std::nullopt, own.issued, first});
  }
}

void Hazards::report(const Cpe& cpe, const LdmConflict& conflict) {
  const SharedWrite* culprit = &conflict.write;
  const Site* sufferer = conflict.use;
  std::string use = machine_.name_of(cpe) + " uses them here";
  if (conflict.other) {
    if (stands_after(culprit->site, conflict.other->site)) culprit = &*conflict.other;
    const SharedWrite& second = culprit == &conflict.write ? *conflict.other : conflict.write;
    sufferer = second.site;
    use = machine_.name_of(second.issuer) + " does so here";
  }
  struct Text {
    const char* what;
    const char* verb;
    const char* fix;
  };
  const auto text = [&]() -> Text {
    switch (culprit->kind) {
      case SharedKind::Broadcast:
        return {"a broadcast writes LDM of a CPE that is not ordered with it",
                " broadcasts into them at ",
                "let the CPEs meet in athread_syn before the broadcast, and again after its issuer "
                "has waited for it"};
      case SharedKind::Deal:
        return {"LDM of a CPE is written by another one without order",
                " deals out blocks into them at ",
                "let the row meet in athread_syn before the gets, and again after each CPE has "
                "waited for its own"};
      case SharedKind::Copy:
        return {"LDM of a CPE is written by another one without order", " copies into them at ",
                "let the CPEs meet before the copy, and wait for its remote counter before using "
                "what it brings"};
      case SharedKind::Counter:
        return {"a counter of a CPE is written without order to the copy that counts in it",
                " lets a copy count in them, issued at ",
                "set the counter to 0, let the CPEs meet, then issue the copy"};
      case SharedKind::Read:
        return {"LDM of a CPE is read by another one without order", " gets them at ",
                "let the CPEs meet before the get, and again after its issuer has waited for it"};
    }
    return {};
  }();
  // Objects lie alike on all CPEs.
  const std::uint64_t address = memory_place(*machine_.running(), conflict.offset);
  fail({.kind = culprit->kind == SharedKind::Broadcast ? "broadcast_unordered" : "ldm_race",
        .where = sufferer,
        .cause = same_line(sufferer, culprit->site) ? nullptr : culprit->site,
        .cpe = cpe.id,
        .group = machine_.failure_group(&cpe),
        .what = text.what,
        .why = bytes_text(address, 4) + " on " + machine_.name_of(cpe) + ": " +
               machine_.name_of(culprit->issuer) + text.verb + to_string(culprit->site) + ", " +
               use + ", and nothing orders the two",
        .fix = text.fix});
}

}  // namespace solway::emulator
