#include "support/fast_dots.h"

#include <string>

namespace solway {
namespace {

constexpr DotForm kHalves{DType::BFloat16, DType::BFloat16};
/// As many as multiply-adds of the same size: assumed.
constexpr double kOfTwoPipes = 0.5;
constexpr double kOfIntel = 2;  ///< measured on a Xeon: a quarter of multiply-adds

bool lists_halves(const ForeignMachine& machine) {
  const std::string features = "," + machine.features + ",";
  return machine.triple.rfind("aarch64", 0) == 0 && features.find(",+bf16,") != std::string::npos;
}

#if defined(__x86_64__)
bool this_machine_has_halves() {
  return host_target_name() == "x86-64-v4" && __builtin_cpu_supports("avx512bf16") != 0;
}
bool is_of_intel() { return __builtin_cpu_is("intel") != 0; }
#else
bool this_machine_has_halves() { return false; }
bool is_of_intel() { return false; }
#endif

}  // namespace

void allow_fast_dots(Target& target, MachineKind kind) {
  if (!target.vector || has_fast_dots(target)) return;
  const bool has_them = target.foreign
                            ? lists_halves(*target.foreign)
                            : kind == MachineKind::This && target.name == host_target_name() &&
                                  this_machine_has_halves();
  if (has_them) target.vector->dots.push_back(kHalves);
}

bool has_fast_dots(const Target& target) {
  return target.vector && target.vector->has_dot(kHalves.a, kHalves.b);
}

double fast_dot_cycles(const Target& target) {
  return !target.foreign && is_of_intel() ? kOfIntel : kOfTwoPipes;
}

}  // namespace solway
