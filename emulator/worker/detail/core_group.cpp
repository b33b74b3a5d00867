#include "emulator/worker/detail/core_group.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "emulator/worker/detail/poison.h"

#include <sys/mman.h>

namespace solway::emulator {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kGuardBytes = 16 * kPage;
constexpr std::uint64_t kHostStackBytes = 1 << 20;

// A place in the LDM fits 31 bits, as on the machine: kernels keep some in an int, and add with
// addw.
#ifdef MAP_32BIT
constexpr int kPlacedLow = MAP_32BIT;
#else
constexpr int kPlacedLow = 0;
#endif

CoreGroup* group_of_fibers = nullptr;

std::uint64_t round_to_page(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

CoreGroup::CoreGroup(const MachineOptions& options, const Program& program, SharedState& shared)
    : options_(options),
      program_(program),
      shared_(shared),
      random_(options.seed),
      threads_(options.cores) {
  shared_.steps_left = options.step_budget;
  describe(&unknown_, ObjectKind::Unknown, 0, 0, "", nullptr);
  group_of_fibers = this;
  const std::uint64_t ldm_pages = round_to_page(options.ldm_bytes);
  region_stride_ = kGuardBytes + kHostStackBytes + ldm_pages + kGuardBytes;
  void* const region = mmap(nullptr, region_stride_ * kCpes, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | kPlacedLow, -1, 0);
  if (region == MAP_FAILED) {
    fail_internal("the memory of the CPEs could not be mapped", "");
  }
  region_ = static_cast<char*>(region);
  for (int id = 0; id < kCpes; ++id) {
    auto cpe = std::make_unique<Cpe>();
    cpe->id = id;
    cpe->host_stack = region_ + region_stride_ * static_cast<std::uint64_t>(id) + kGuardBytes;
    cpe->host_stack_bytes = kHostStackBytes;
    cpe->ldm = cpe->host_stack + kHostStackBytes;
    mprotect(cpe->host_stack, kHostStackBytes + ldm_pages, PROT_READ | PROT_WRITE);
    cpes_.push_back(std::move(cpe));
  }
  for (std::uint64_t i = 0; i < program.main_object_count; ++i) {
    const MainObjectInfo& info = program.main_objects[i];
    Object* const object =
        main_objects_.add(ObjectKind::Main, reinterpret_cast<std::uint64_t>(info.address),
                          info.size, info.name, info.declared);
    if (info.writable == 0) object->store_size = 0;
  }
  for (std::uint64_t i = 0; i < program.ldm_object_count; ++i) {
    const LdmObjectInfo& info = program.ldm_objects[i];
    static_bytes_ = std::max(static_bytes_, info.offset + info.size);
  }
  check_static_fit();
  if (options.timing) clock_ = std::make_unique<Clock>(*options.timing);
  if (!options.hazards) return;
  shared_.region = reinterpret_cast<std::uint64_t>(region_);
  shared_.region_bytes = region_stride_ * kCpes;
  hazards_ =
      std::make_unique<Hazards>(*this, shared_.region, shared_.region_bytes, program.shares_ldm);
  shared_.cell_bias = hazards_->ldm().bias();
}

void CoreGroup::run_fiber() {
  CoreGroup& group = *group_of_fibers;
  Cpe& cpe = *group.running_;
  reinterpret_cast<void (*)(void*)>(const_cast<void*>(cpe.task.entry->address))(cpe.task.argument);
  if (!cpe.pending.empty()) {
    const Transfer& transfer = cpe.pending.front();
    group.fault(
        "unfinished_transfer", transfer.issued,
        "a CPE function returns with a transfer that nobody waited for",
        "at the return of '" + std::string(cpe.task.entry->name) + "' " +
            (cpe.pending.size() == 1 ? "1 transfer is"
                                     : std::to_string(cpe.pending.size()) + " transfers are") +
            " pending; the first was issued here",
        "wait until its reply counter has risen");
  }
  for (const RemoteCopy& copy : group.copies_) {
    const bool is_done = group.hazards_ != nullptr ? copy.done != 0 : copy.landed;
    if (copy.issuer != cpe.id || is_done) continue;
    // One without a counter is done when those that it goes to have it.
    if (group.clock_ != nullptr && copy.local_counter == 0) continue;
    group.fault(
        "unfinished_transfer", copy.issued,
        "a CPE function returns with an RMA copy that nobody waited for",
        "at the return of '" + std::string(cpe.task.entry->name) + "' it is pending",
        "wait until its local counter has risen, or meet the others after they have waited");
  }
  group.require_no_messages(cpe);
  if (group.clock_ != nullptr) group.end_timed(cpe);
  cpe.state = CpeState::Finished;
}

void CoreGroup::resume(Cpe& cpe) {
  const Site* const caller_site = shared_.site;
  const std::int64_t caller_ticks = shared_.ticks;
  shared_.main_ticks = 0;
  running_ = &cpe;
  shared_.ticks = cpe.ticks;
  shared_.ldm = cpe.ldm;
  shared_.site = cpe.site;
  cpe.state = CpeState::Ready;
  cpe.fiber.resume();
  cpe.site = shared_.site;
  cpe.ticks = shared_.ticks;
  if (clock_ != nullptr) clock_->recorder().main_memory(cpe.id, shared_.main_ticks);
  shared_.ticks = caller_ticks;
  shared_.ldm = nullptr;
  shared_.site = caller_site;
  running_ = nullptr;
}

void CoreGroup::block(Cpe& cpe, CpeState state, Wait wait) {
  cpe.state = state;
  cpe.wait = std::move(wait);
  cpe.fiber.suspend();
}

void CoreGroup::let_others_go_on() {
  Cpe& self = *running_;
  self.stands_still = true;
  while (std::any_of(cpes_.begin(), cpes_.end(),
                     [&](const auto& cpe) { return !cpe->stands_still && is_runnable(*cpe); })) {
    block(self, CpeState::Ready, {});
  }
}

bool CoreGroup::is_runnable(const Cpe& cpe) const {
  if (cpe.state == CpeState::Ready) return true;
  if (cpe.state != CpeState::Polling) return false;
  std::uint64_t now = 0;
  std::memcpy(&now, reinterpret_cast<const void*>(cpe.wait.address), cpe.wait.bytes);
  return now != cpe.wait.seen;
}

bool CoreGroup::run_ready() {
  if (clock_ != nullptr) return run_in_order();
  bool any = false;
  for (;;) {
    std::vector<Cpe*> order;
    for (const auto& cpe : cpes_) {
      if (is_runnable(*cpe)) order.push_back(cpe.get());
    }
    if (order.empty()) return any;
    if (options_.seed != 0) std::shuffle(order.begin(), order.end(), random_);
    for (Cpe* const cpe : order) {
      if (is_runnable(*cpe)) resume(*cpe);
    }
    any = true;
  }
}

void CoreGroup::report_deadlock(const char* who) {
  std::map<std::string, std::vector<int>> held;
  const Cpe* first = nullptr;
  for (const auto& cpe : cpes_) {
    if (cpe->state != CpeState::Blocked && cpe->state != CpeState::Polling) continue;
    if (first == nullptr) first = cpe.get();
    held[cpe->wait.reason + " (" + to_string(cpe->wait.where) + ")"].push_back(cpe->id);
  }
  std::string why;
  for (const auto& [reason, ids] : held) {
    why += why.empty() ? "" : "; ";
    why += "CPE " + std::to_string(ids.front());
    why += ids.size() == 1 ? "" : ", like " + std::to_string(ids.size() - 1) + " others,";
    why += " " + reason;
  }
  fail({.kind = "deadlock",
        .where = first == nullptr ? shared_.site : first->wait.where,
        .cpe = first == nullptr ? -1 : first->id,
        .what = std::string("no CPE can go on, and ") + who + " waits for them",
        .why = why.empty() ? "no CPE runs that could change it" : why,
        .fix = "issue what is waited for, or wait for what was issued"});
}

void CoreGroup::poll(std::uint64_t address, std::uint64_t bytes, const Site* site) {
  std::uint64_t seen = 0;
  bytes = std::min<std::uint64_t>(bytes, sizeof seen);
  std::memcpy(&seen, reinterpret_cast<const void*>(address), bytes);
  if (running_ == nullptr) {
    if (run_ready()) return;
    shared_.site = site;
    report_deadlock("a loop of the MPE that reads a flag");
  }
  // The loop may wait for other counters beside this one.
  constexpr std::uint64_t kAnywhere = ~std::uint64_t{0};
  if (clock_ == nullptr && try_land_one(*running_, address, bytes)) return;
  if (clock_ == nullptr && try_land_one(*running_, 0, kAnywhere)) return;
  if (clock_ != nullptr && !running_->pending.empty()) {
    stall(*running_, Stall::Transfer,
          {.reason = "waits for a transfer", .where = site, .is_for_transfer = true});
    return;
  }
  const bool in_ldm = in_region(address);
  Cpe& self = *running_;
  const std::int64_t before = shared_.ticks;
  block(self, CpeState::Polling,
        {.reason = in_ldm ? "polls a word of LDM with value " + std::to_string(seen) +
                                " and no pending transfer counts in it"
                          : "polls a word of main memory that nobody writes",
         .where = site,
         .is_for_transfer = in_ldm,
         .address = address,
         .bytes = bytes,
         .seen = seen});
  if (clock_ != nullptr && in_ldm) {
    clock_->recorder().wait(self.id, Stall::Message, before, shared_.ticks);
  }
}

void CoreGroup::barrier(int scope, int mask) {
  Cpe& self = *running_;
  const int row = self.id / kCpeColumns;
  const int column = self.id % kCpeColumns;
  const auto member = [&](int id) {
    const int r = id / kCpeColumns;
    const int c = id % kCpeColumns;
    if (!is_started(id)) return false;
    if (scope == kRowScope) return r == row && (mask >> c & 1) != 0;
    if (scope == kColumnScope) return c == column && (mask >> r & 1) != 0;
    if (scope == kPairScope) return id == self.id || id == mask;
    return (mask >> c & 1) != 0 && (mask >> (8 + r) & 1) != 0;
  };
  if (scope < kRowScope || scope > kPairScope) {
    fail({.kind = "unsupported",
          .where = shared_.site,
          .cpe = self.id,
          .what = std::string(options_.barrier_name) + " has no scope " + std::to_string(scope),
          .why = "the scopes are ROW_SCOPE, COL_SCOPE and ARRAY_SCOPE",
          .fix = "use one of these"});
  }
  std::uint64_t key =
      1 + static_cast<std::uint64_t>(scope) + (static_cast<std::uint64_t>(mask) << 8);
  if (scope == kRowScope) key |= static_cast<std::uint64_t>(row) << 40;
  if (scope == kColumnScope) key |= static_cast<std::uint64_t>(column) << 40;
  if (scope == kPairScope) {
    key = 1 + kPairScope + (static_cast<std::uint64_t>(std::min(self.id, mask)) << 8) +
          (static_cast<std::uint64_t>(std::max(self.id, mask)) << 16);
  }
  if (!member(self.id)) return;
  bool all = true;
  for (const auto& cpe : cpes_) {
    if (cpe.get() == &self || !member(cpe->id)) continue;
    all = all && cpe->state == CpeState::Blocked && cpe->wait.barrier == key;
  }
  if (!all) {
    stall(
        self, Stall::Barrier,
        {.reason = std::string("waits in ") + options_.barrier_name + " for CPEs that do not come",
         .where = shared_.site,
         .barrier = key});
    return;
  }
  std::vector<Cpe*> members;
  std::int64_t last = shared_.ticks;
  for (const auto& cpe : cpes_) {
    if (!member(cpe->id)) continue;
    members.push_back(cpe.get());
    if (cpe.get() != &self) last = std::max(last, cpe->ticks);
  }
  if (clock_ != nullptr) last += kTicksPerCycle * clock_->figures().barrier_cycles;
  for (Cpe* const cpe : members) {
    if (cpe == &self) continue;
    cpe->state = CpeState::Ready;
    cpe->ticks = last;
    note_ready(*cpe);
  }
  if (clock_ != nullptr) clock_->recorder().wait(self.id, Stall::Barrier, shared_.ticks, last);
  shared_.ticks = last;
  if (hazards_ != nullptr) hazards_->met(members);
}

}  // namespace solway::emulator
