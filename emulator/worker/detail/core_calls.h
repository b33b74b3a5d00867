#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "emulator/worker/register_mesh.h"

namespace solway::emulator {

// Writes the calls that stand for instructions of a CPE, whether inline assembly or a source in
// assembly has them.

/// The cycle counter, as i64.
llvm::Value* read_cycles(llvm::IRBuilder<>& builder);
/// Control register 0, the number of the CPE, 1, its row, or 2, its column, as i32.
llvm::Value* read_place(llvm::IRBuilder<>& builder, std::int64_t number);
/// What a call to the runtime is called that adds 1 to a word of main memory at once.
inline constexpr const char* kFetchAdd = "__solway_fetch_add";
/// Such a call: what was there, as i64.
llvm::Value* fetch_add(llvm::IRBuilder<>& builder, llvm::Value* word);
/// Meets the CPEs of the line that `mask`, an integer, names.
void meet_along(llvm::IRBuilder<>& builder, RegisterLine line, llvm::Value* mask);
/// Sends four lanes of 64 bits to `destination`, an i32.
void send_along(llvm::IRBuilder<>& builder, RegisterLine line, llvm::Value* lanes,
                llvm::Value* destination);
/// The message that comes next, as four lanes of 64 bits.
llvm::Value* receive_along(llvm::IRBuilder<>& builder, RegisterLine line);

}  // namespace solway::emulator
