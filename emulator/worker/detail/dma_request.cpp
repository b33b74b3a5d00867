#include "emulator/worker/detail/dma_request.h"

#include <string>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/failure.h"

namespace solway::emulator {
namespace {

constexpr const char* kModes[] = {"PE_MODE", "BCAST_MODE", "ROW_MODE", "BROW_MODE", "RANK_MODE"};

bool is_put(const DmaRequest& r) { return r.direction == Transfer::Direction::Put; }
std::string name_of(const DmaRequest& r) { return is_put(r) ? "a put" : "a get"; }

void require_mode(CoreGroup& group, const DmaRequest& r) {
  if (r.mode < kOwnMode || r.mode > kRankMode) {
    group.fault("bad_transfer", r.site, name_of(r) + " with mode " + std::to_string(r.mode),
                "there is no such mode", "use PE_MODE");
  }
  if (is_put(r) && (r.mode == kBroadcastMode || r.mode == kRowBroadcastMode)) {
    group.fault("bad_transfer", r.site, std::string("a put in ") + kModes[r.mode],
                "only a get can broadcast", "use PE_MODE");
  }
  if (r.mode == kRowMode || r.mode == kRowBroadcastMode || (is_put(r) && r.mode == kRankMode)) {
    fail({.kind = "unsupported",
          .where = r.site,
          .cause = nullptr,
          .cpe = group.running().id,
          .what = name_of(r) + " in " + kModes[r.mode] + " cannot be emulated",
          .why = "no public source says what it does",
          .fix = is_put(r) ? "use PE_MODE on each CPE" : "use PE_MODE, BCAST_MODE or RANK_MODE"});
  }
  if (r.mode == kBroadcastMode && (r.mask & 0xff) == 0) {
    group.fault("bad_transfer", r.site, name_of(r) + " in BCAST_MODE with mask 0",
                "bit r of the mask stands for row r", "pass 0xff for all rows");
  }
}

void require_sizes(CoreGroup& group, const DmaRequest& r) {
  const auto bad = [&](const std::string& what, const std::string& why, const std::string& fix) {
    group.fault("bad_transfer", r.site, name_of(r) + what, why, fix);
  };
  const std::string bytes = " of " + std::to_string(r.bytes) + " bytes";
  const std::string blocks = " in blocks of " + std::to_string(r.block);
  const MachineOptions& machine = group.options();
  const bool fits = r.bytes >= 0 && r.bytes <= machine.max_transfer_bytes && r.block >= 0 &&
                    r.block <= machine.max_block_bytes;
  if (!fits) {
    bad(bytes + blocks,
        "a length is 0 to " + std::to_string(machine.max_transfer_bytes) + " bytes, a block 0 to " +
            std::to_string(machine.max_block_bytes),
        "split the transfer");
  }
  if (r.block == 0 && r.stride != 0) {
    bad(" with a stride of " + std::to_string(r.stride) + " and no block",
        "a stride needs the block that it follows", "pass the block size too");
  }
  if (r.block != 0 && r.bytes % r.block != 0) {
    bad(bytes + blocks, "the length is not a multiple of the block", "move whole blocks");
  }
  if (r.mode == kRankMode && (r.block == 0 || r.bytes % (r.block * kCpeColumns) != 0)) {
    const std::string columns = std::to_string(kCpeColumns);
    bad(bytes + " in RANK_MODE" + blocks,
        "the blocks are dealt out to the " + columns + " CPEs of the row, the same number to each",
        "pass a block size that divides the length by a multiple of " + columns);
  }
}

}  // namespace

void issue(CoreGroup& group, const DmaRequest& r) {
  require_mode(group, r);
  require_sizes(group, r);
  const std::int64_t each = r.block == 0 ? r.bytes : r.block;
  group.issue({.direction = r.direction,
               .mode = r.mode,
               .main_address = r.main,
               .ldm_address = r.ldm,
               .bytes = static_cast<std::uint64_t>(r.bytes),
               .block = static_cast<std::uint64_t>(each),
               .pitch = each + r.stride,
               .counter = r.counter,
               .issued = r.site,
               .plane_blocks = static_cast<std::uint64_t>(r.plane_blocks),
               .plane_pitch = r.plane_pitch},
              r.mask);
}

}  // namespace solway::emulator
