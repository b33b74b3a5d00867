#pragma once

#include <string>

#include "codegen/athread/assembly/instruction.h"
#include "codegen/athread/assembly/product_tile.h"

namespace solway::codegen::assembly {

/// A function of CPE assembly that adds a product to C:
///
///   void name(T *C, const T *A, const T *B, long steps)
///
/// `steps` is how many k there are in a round, any number; below 1 it does nothing. The addresses
/// of C and B are multiples of a vector. Tiles of 4 x 16 elements (narrow ones of 7 rows) are in
/// registers while all their rounds run; the steps of a round are software-pipelined
/// (modulo_schedule.h), with the rounds that run inside of them (unrolled_rounds.h), what stands
/// between is in the order of list_schedule(). Registers that the caller may use are kept.
///
/// Needs: a product that micro_kernel_lack() has nothing against; throws InternalError else.
std::string micro_kernel(const std::string& name, const Product& product,
                         const Latencies& latencies);

/// Why there is no micro-kernel for a product; empty: there is one.
std::string micro_kernel_lack(const Product& product);

}  // namespace solway::codegen::assembly
