#include "driver/require_sharing.h"

#include <gtest/gtest.h>

#include "driver/target_choice.h"
#include "support/error.h"

namespace solway::driver {
namespace {

schedule::Program with_buffer(schedule::SharedBy shared) {
  schedule::Program out;
  schedule::Buffer& buffer = out.buffers["AA"];
  buffer.name = "AA";
  buffer.shared_by = shared;
  buffer.shared_at = {"user.py", 7, "s.broadcast(AA)"};
  return out;
}

Target machine(const std::string& name) { return require_target(name, {}); }

TEST(RequireSharing, TakesMachinesWhoseCoresReachEachOther) {
  using schedule::SharedBy;
  for (const SharedBy shared : {SharedBy::Row, SharedBy::Column, SharedBy::All}) {
    require_sharing(with_buffer(shared), machine("sw26010"));
    require_sharing(with_buffer(shared), machine("sw26010pro"));
    EXPECT_THROW(require_sharing(with_buffer(shared), machine("host")), UnsupportedError);
    EXPECT_THROW(require_sharing(with_buffer(shared), machine("c")), UnsupportedError);
  }
  require_sharing(with_buffer(SharedBy::Core), machine("host"));
}

TEST(RequireSharing, TakesWholeMeshesAlone) {
  Target small = machine("sw26010");
  small.cores.mesh_rows = 4;
  EXPECT_THROW(require_sharing(with_buffer(schedule::SharedBy::Row), small), UnsupportedError);
  require_sharing(with_buffer(schedule::SharedBy::Core), small);
}

}  // namespace
}  // namespace solway::driver
