#pragma once

#include <random>
#include <vector>

#include "codegen/athread/assembly/instruction.h"

namespace solway::codegen::assembly::testing {

/// A loop's body that computes something different in every iteration: loads through addresses that
/// move on, products of what was loaded and of sums of the iteration before. Registers from
/// kFirstVirtual on hold values, $17 and $18 addresses.
inline std::vector<Instruction> random_body(std::mt19937& random) {
  const auto upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<Instruction> out;
  std::vector<Register> values;
  Register next = kFirstVirtual;
  const int sums = 1 + upto(6), loads = 1 + upto(6);
  for (int k = 0; k < loads; ++k) {
    const bool is_splat = upto(2) == 0;
    out.push_back({is_splat ? Opcode::Ldse : Opcode::Vlds,
                   next,
                   {is_splat ? 17 : 18},
                   16 * std::int64_t{k},
                   {},
                   is_splat ? "A" : "B"});
    values.push_back(next++);
  }
  for (int k = 0; k < sums; ++k) {
    const Register a = values[static_cast<std::size_t>(upto(static_cast<int>(values.size())))];
    const Register b = values[static_cast<std::size_t>(upto(static_cast<int>(values.size())))];
    // A new value that the body uses again, or one that is handed on.
    const bool is_new = upto(4) == 0;
    const Register sum = next++;
    out.push_back({Opcode::Vmas, sum, {a, b, is_new ? a : sum}, 0, {}, {}});
    if (is_new) values.push_back(sum);
  }
  if (upto(2) == 0) std::swap(out[0], out[static_cast<std::size_t>(upto(loads))]);
  out.push_back({Opcode::Ldi, 17, {17}, 4, {}, {}});
  out.push_back({Opcode::Ldi, 18, {18}, 1024, {}, {}});
  return out;
}

}  // namespace solway::codegen::assembly::testing
