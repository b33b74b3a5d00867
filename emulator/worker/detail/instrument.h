#pragma once

#include <map>
#include <set>
#include <string>

#include <llvm/Support/CodeGen.h>

#include "emulator/worker/detail/kernel_module.h"

namespace solway::emulator {

struct MachineTiming;
struct ProxyCode;

/// The processors that code is made for.
enum class Side { Mpe, Cpe };

/// Replaces the inline assembly that the emulator knows: memb; of CPEs ldi, rcsr 0, 1, 2 and 4, the
/// barriers sync (column) and synr (row), and register communication; of the MPE rtc. Other
/// assembly ends the process with "unsupported".
///
///   before: call void asm sideeffect "ldi $$1,0xff; synr $$1", ""()
///   after:  call i32 @athread_syn(i32 0, i32 255)
void replace_assembly(llvm::Module& module, Side side);

/// Makes a product and the sum that takes it one operation, where C's `-ffp-contract=fast` lets it,
/// as the machine's compiler does. Afterwards rounding is the same whatever is instrumented and
/// however code is generated.
///
///   before: %p = fmul contract float %a, %b;  %s = fadd contract float %p, %c
///   after:  %s = call contract float @llvm.fma(float %a, float %b, float %c)
void fuse_multiply_add(llvm::Module& module);

/// Makes loads whose value is only one side of a choice where it is chosen, as the program does:
/// the compiler makes both.
///
///   before: %v = load float, ptr %p;  %w = select i1 %c, float %v, float %x
///   after:  br %c, then, else;  then: %v = load float, ptr %p;  end: %w = phi %v, %x
void load_where_chosen(llvm::Module& module);

/// Names all blocks, so that those of a copy are known.
void name_blocks(llvm::Module& module);

/// Notes how long each block takes, in what is no effect to other passes.
///
/// Functions that are defined nowhere and are not of the emulator take `library_call_cycles`.
///
/// Needs: `code` is that of a module with the same names of blocks.
void mark_time(llvm::Module& module, const ProxyCode& code, int library_call_cycles);

/// Makes what was noted count on the clock of the running processor.
///
///   before: call void @solway_time(i64 832)
///   after:  %t = load i64, ptr (@solway_shared + 24);  store i64 (%t + 832), ...
void count_time(HookBuilder& hooks);

/// Notes which code CPE functions need where: all of a function where it begins, if the instruction
/// cache has room for it and all that it calls; else each loop that it has room for where that is
/// entered, and other blocks one by one. Nothing where the machine's cache is not known.
///
/// The code lies as its functions follow each other in the module, 4 bytes per instruction.
///
/// Needs: time is marked; `code` is that of a module with the same names of blocks.
void mark_fetches(llvm::Module& cpe, const ProxyCode& code, const MachineTiming& timing);

/// Makes the running CPE fetch what was noted.
///
///   before: call void @solway_needs_code(i64 4096, i64 512)
///   after:  call void @solway_fetch_code(i64 4096, i64 512)
void count_fetches(HookBuilder& hooks);

/// Instructions that a call of `entry` runs, on the MPE and all CPEs, as far as the bounds of its
/// loops tell; infinite when functions call each other in a cycle or through pointers.
///
/// Needs: a program without hooks, whose loops are as the compiler left them.
double expected_work(llvm::Function& entry);

/// Counts loop iterations against the step budget, turns loops that only poll a volatile word into
/// blocking waits and loops that cannot end into a report.
///
///   before: loop: %v = load volatile i64, ptr @reply; br %v == 1, exit, loop
///   after:  loop: ...; br %v == 1, exit, again;  again: solway_poll(@reply, 8, site); br loop
void instrument_loops(HookBuilder& hooks);

/// What instrumented accesses are looked at for, beside their bounds.
enum class Checks { Bounds, Hazards, Clock };

/// Checks every load, store and memory intrinsic against the object that its pointer was made
/// from, and counts plain main-memory traffic of CPE code.
///
///   before: %v = load float, ptr %p
///   after:  if (%p - root.lo + 4 > root.size) solway_access(...); %v = load float, ptr %p
///
/// Needs: LDM globals as they come from the compiler (before `lay_out_ldm`).
/// With `Checks::Hazards` it also looks at the shadow of what the access touches; with
/// `Checks::Clock` accesses of main memory by CPEs take time.
void instrument_accesses(HookBuilder& hooks, Checks checks);

/// The stack that the machine code of each CPE function takes.
struct ProxyStack {
  std::map<std::string, std::uint64_t> own_bytes;    ///< frame of the function alone
  std::map<std::string, std::uint64_t> total_bytes;  ///< with the deepest chain of callees
  std::set<std::string> recursive;                   ///< functions on a cycle of calls
};

/// Adds frame sizes along the call graph; `code` is that of `cpe`.
ProxyStack measure_stack(const llvm::Module& cpe, const ProxyCode& code);

/// Makes automatic variables whose address escapes known as objects, and counts the stack of
/// recursion and of arrays with variable size.
void instrument_frames(HookBuilder& hooks, const ProxyStack& stack);

/// Notes the C line of each call that leaves instrumented code.
void instrument_calls(HookBuilder& hooks);

/// One parameter of the entry.
struct EntryParameter {
  std::string name;
  std::string dtype;
  bool is_scalar = false;
};

/// Lays out `__thread_local` objects, replaces them by an offset into the running CPE's LDM and
/// writes the table `solway_program` (abi.h).
///
///   before: load float, ptr @buffer              (section ".ldm")
///   after:  %ldm = load ptr, @solway_shared.ldm; load float, ptr (%ldm + 128)
void write_program(HookBuilder& hooks, const ProxyStack& stack, const std::string& entry,
                   const std::vector<EntryParameter>& parameters);

/// Writes the object file for this machine. What the hooks say of lines stays; debug information
/// does not.
void emit_object(llvm::Module& module, const std::string& path, llvm::CodeGenOptLevel effort);

}  // namespace solway::emulator
