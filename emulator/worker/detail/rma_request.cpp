#include "emulator/worker/detail/rma_request.h"

#include <string>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {
namespace {

// As rma.h numbers them.
constexpr int kGet = 1;
constexpr int kOne = 0;
constexpr int kRows = 1;
constexpr int kRowsAndSelf = 5;
constexpr int kColumnsAndSelf = 6;

CpeSet receivers(const RmaRequest& r, int issuer) {
  if (r.whom == kOne) return CpeSet{1} << r.other;
  const bool by_row = r.whom == kRows || r.whom == kRowsAndSelf;
  CpeSet cpes = 0;
  for (int id = 0; id < kCpes; ++id) {
    const int line = by_row ? id / kCpeColumns : id % kCpeColumns;
    cpes |= static_cast<CpeSet>(r.mask >> line & 1) << id;
  }
  const bool with_self = r.whom == kRowsAndSelf || r.whom == kColumnsAndSelf;
  return with_self ? cpes : cpes & ~(CpeSet{1} << issuer);
}

}  // namespace

void issue(CoreGroup& group, const Cpe& issuer, const RmaRequest& r) {
  const auto bad = [&](const std::string& what, const std::string& why, const std::string& fix) {
    group.fault("bad_transfer", r.site, what, why, fix);
  };
  if (r.whom == kOne && (r.other < 0 || r.other >= kCpes)) {
    bad("RMA with CPE " + std::to_string(r.other),
        "a core group has " + std::to_string(kCpes) + " CPEs" +
            (group.machine().has_several_groups() ? ", and RMA stays within the group" : ""),
        "pass 0 to " + std::to_string(kCpes - 1));
  }
  if (r.bytes < 0) {
    bad("RMA of " + std::to_string(r.bytes) + " bytes", "a length is 0 or more",
        "check the length");
  }
  if (r.whom != kOne && (r.mask & 0xff) == 0) {
    bad("RMA to no CPE", "bit r of the mask stands for row r, or bit c for column c",
        "set the bits of those that are to receive");
  }
  RemoteCopy copy;
  copy.is_get = r.operation == kGet;
  copy.issuer = issuer.id;
  copy.others = receivers(r, issuer.id);
  copy.here = r.here;
  copy.there = r.there;
  copy.bytes = static_cast<std::uint64_t>(r.bytes);
  copy.local_counter = r.local_counter;
  copy.remote_counter = r.remote_counter;
  copy.issued = r.site;
  group.issue(copy);
}

}  // namespace solway::emulator
