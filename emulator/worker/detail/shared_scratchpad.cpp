/// The scratchpad that all cores see: what lies there, and what hazard mode knows of it. Accesses
/// to it are ordered as those to main memory are.
#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/hazards.h"
#include "emulator/worker/detail/machine.h"
#include "emulator/worker/detail/poison.h"

namespace solway::emulator {

void Machine::check_shared_fit() const {
  const MainObjectInfo* largest = nullptr;
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < program_.main_object_count; ++i) {
    const MainObjectInfo& info = program_.main_objects[i];
    if (info.shared == 0) continue;
    const std::uint64_t unit = options_.transfer_alignment;
    bytes += (info.size + unit - 1) / unit * unit;
    if (largest == nullptr || info.size > largest->size) largest = &info;
  }
  if (largest == nullptr) return;
  const std::string name = "'" + std::string(largest->name) + "'";
  if (options_.shared_bytes == 0) {
    fail({.kind = "shared_overflow",
          .where = largest->declared,
          .what = name + " is to lie in a scratchpad that all cores see",
          .why = "this machine has none",
          .fix = "name such a memory in the target file, with 'through' of its engine"});
  }
  if (options_.timing) {
    fail({.kind = "unsupported",
          .where = largest->declared,
          .what = "timed mode of a program with " + name + " in the scratchpad of all cores",
          .why = "target files say nothing of how long its transfers and accesses take",
          .fix = "run it in functional or hazard mode"});
  }
  if (bytes <= options_.shared_bytes) return;
  fail({.kind = "shared_overflow",
        .where = largest->declared,
        .what = "the variables that all cores see do not fit",
        .why = "they need " + std::to_string(bytes) + " bytes, their scratchpad has " +
               std::to_string(options_.shared_bytes) + "; the largest is " + name + " with " +
               std::to_string(largest->size) + " bytes",
        .fix = "make " + name + " smaller and loop over more tiles"});
}

void Machine::forget_shared() const {
  for (std::uint64_t i = 0; i < program_.main_object_count; ++i) {
    const MainObjectInfo& info = program_.main_objects[i];
    if (info.shared != 0) poison(reinterpret_cast<std::uint64_t>(info.address), info.size);
  }
}

void Hazards::touch_shared(const Transfer& t, const MainAccess& access) {
  if (t.ldm_bytes == 0) return;
  MainCell* const cells = cells_of(*machine_.object_at(t.ldm_address), t.ldm_address);
  if (access.step != kUnfinished) return main_.finish(cells, t.ldm_address, t.ldm_bytes, access);
  const auto conflict =
      main_.access(cells, t.ldm_address, t.ldm_bytes, access, clocks_[access.thread]);
  if (conflict) report(*conflict, access);
}

void Hazards::goes_on(const Cpe& cpe, const Transfer& t) {
  const bool is_get = t.direction == Transfer::Direction::Get;
  if (is_shared(t)) {
    touch_shared(t, {cpe.thread, kUnfinished, is_get, true, t.issued});
  } else {
    ldm_.set(t.ldm_address, t.ldm_bytes, is_get ? kPendingGet : kPendingPut);
  }
}

void Hazards::report_shared(const MainConflict& conflict, const MainAccess& culprit,
                            const MainAccess& sufferer) {
  const auto verb = [](const MainAccess& a) -> std::string {
    if (!a.transfer) return a.write ? "writes them" : "reads them";
    return a.write ? "lets a transfer fill them" : "lets a transfer read them";
  };
  const std::string meet = machine_.options().barrier_name;
  const Cpe* const cpe = machine_.cpe_of(sufferer.thread);
  fail({.kind = "shared_race",
        .where = sufferer.site,
        .cause = same_line(sufferer.site, culprit.site) ? nullptr : culprit.site,
        .cpe = cpe == nullptr ? -1 : cpe->id,
        .group = machine_.failure_group(cpe),
        .what = "two accesses to the same bytes that all cores see, one of them a write, without "
                "order",
        .why = bytes_text(conflict.address, conflict.bytes) + ": " +
               machine_.name_of(culprit.thread) + " " + verb(culprit) + " at " +
               to_string(culprit.site) + ", " + machine_.name_of(sufferer.thread) + " " +
               verb(sufferer) + " here, and nothing orders the two",
        .fix = sufferer.thread == culprit.thread
                   ? "wait for the transfer first"
                   : "wait for the transfer, then let the cores meet in " + meet});
}

}  // namespace solway::emulator
