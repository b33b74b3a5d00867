/// What hazard mode knows of transfers that go into the LDM of several CPEs.
#include <algorithm>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/hazards.h"

namespace solway::emulator {

void Hazards::use_ldm(std::uint64_t address, std::uint64_t bytes, const Site* site) {
  const Cpe* const cpe = group_.running();
  if (!order_ || cpe == nullptr || !ldm_.find(address, bytes, kWatched)) return;
  const auto id = static_cast<unsigned>(cpe->id);
  const auto conflict = order_->use(id, address - reinterpret_cast<std::uint64_t>(cpe->ldm), bytes,
                                    site, clocks_[id]);
  if (conflict) report(id, *conflict);
  ldm_.clear(address, bytes, kWatched);
}

void Hazards::watch(unsigned cpe) {
  if (!order_) return;
  const auto ldm = reinterpret_cast<std::uint64_t>(group_.cpe(cpe).ldm);
  ldm_.set(ldm, group_.ldm_bytes(), kWatched);
}

void Hazards::write_others(const Cpe& issuer, Transfer& t) {
  const std::uint64_t offset = t.ldm_address - reinterpret_cast<std::uint64_t>(issuer.ldm);
  const SharedWrite write{static_cast<unsigned>(issuer.id), t.mode == kBroadcastMode, kUnfinished,
                          t.issued};
  t.shared = order_->begin(write);
  for (unsigned id = 0; id < kMpeThread; ++id) {
    if (!takes_part(t, static_cast<int>(id)) || id == write.issuer) continue;
    const Cpe& cpe = group_.cpe(id);
    const std::uint64_t there = reinterpret_cast<std::uint64_t>(cpe.ldm) + offset;
    if (ldm_.find(there, t.ldm_bytes, kPendingGet | kPendingPut)) {
      for (const Transfer& own : cpe.pending) {
        if (!overlap(own.ldm_address, own.ldm_bytes, there, t.ldm_bytes)) continue;
        const auto first = std::max(own.ldm_address, there) - there + offset;
        report(id, {write, std::nullopt, own.issued, first});
      }
    }
    const auto conflict = order_->write(t.shared, id, offset, t.ldm_bytes, clocks_[write.issuer]);
    if (conflict) report(id, *conflict);
    ldm_.set(there, t.ldm_bytes, kWatched);
  }
}

void Hazards::report(unsigned cpe, const LdmConflict& conflict) {
  const SharedWrite* culprit = &conflict.write;
  const Site* sufferer = conflict.use;
  std::string use = who(cpe) + " uses them here";
  if (conflict.other) {
    if (stands_after(culprit->site, conflict.other->site)) culprit = &*conflict.other;
    const SharedWrite& second = culprit == &conflict.write ? *conflict.other : conflict.write;
    sufferer = second.site;
    use = who(second.issuer) + " does so here";
  }
  const bool broadcast = culprit->broadcast;
  // Static objects lie alike on all CPEs.
  const auto address = reinterpret_cast<std::uint64_t>(group_.running()->ldm) + conflict.offset;
  fail({.kind = broadcast ? "broadcast_unordered" : "ldm_race",
        .where = sufferer,
        .cause = same_line(sufferer, culprit->site) ? nullptr : culprit->site,
        .cpe = static_cast<int>(cpe),
        .what = broadcast ? "a broadcast writes LDM of a CPE that is not ordered with it"
                          : "LDM of a CPE is written by another one without order",
        .why = bytes_text(address, 4) + " on " + who(cpe) + ": " + who(culprit->issuer) +
               (broadcast ? " broadcasts into them at " : " deals out blocks into them at ") +
               to_string(culprit->site) + ", " + use + ", and nothing orders the two",
        .fix = broadcast ? "let the CPEs meet in athread_syn before the broadcast, and again after "
                           "its issuer has waited for it"
                         : "let the row meet in athread_syn before the gets, and again after each "
                           "CPE has waited for its own"});
}

}  // namespace solway::emulator
