#include "support/fast_dots.h"

#include <gtest/gtest.h>

namespace solway {
namespace {

Target arm(const std::string& features) {
  Target out = load_target("aarch64-neon", {});
  out.foreign->features = features;
  return out;
}

TEST(FastDots, ArmHasThemWhereItsFileListsThem) {
  for (const char* const features : {"+bf16", "+dotprod,+bf16", "+bf16,+sve"}) {
    Target target = arm(features);
    EXPECT_FALSE(has_fast_dots(target));
    allow_fast_dots(target, MachineKind::Level);
    EXPECT_TRUE(has_fast_dots(target)) << features;
    allow_fast_dots(target, MachineKind::Level);
    EXPECT_EQ(target.vector->dots.size(), 1U);
    EXPECT_EQ(fast_dot_cycles(target), 0.5);
  }
  for (const char* const features : {"", "+dotprod", "-bf16", "+bf16x"}) {
    Target target = arm(features);
    allow_fast_dots(target, MachineKind::Level);
    EXPECT_FALSE(has_fast_dots(target)) << features;
  }
}

TEST(FastDots, LevelsOfProcessorsHaveNone) {
  for (const char* const name : {"x86-64-v3", "x86-64-v4", "riscv64-v", "sw26010", "c"}) {
    Target target = load_target(name, {});
    allow_fast_dots(target, MachineKind::Level);
    EXPECT_FALSE(has_fast_dots(target)) << name;
  }
}

TEST(FastDots, OtherLevelsThanThisMachinesHaveNone) {
  Target target = load_target("x86-64-v3", {});
  target.name = "another";
  allow_fast_dots(target, MachineKind::This);
  EXPECT_FALSE(has_fast_dots(target));
}

}  // namespace
}  // namespace solway
