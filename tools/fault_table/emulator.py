"""Faults in the emulator: what it checks, its clock and timelines, its assembler."""

# Texts of the sources stand as they are there.
# ruff: noqa: E501

from __future__ import annotations

from fault_table.fault import Fault

FAULTS = [
    Fault(
        "no-poison-in-the-ldm",
        "emulator/worker/detail/transfers.cpp",
        "poison(same_place(t.ldm_address, *running_, id), t.ldm_bytes);",
        "static_cast<void>(id);",
        (("emulator", "*"),),
    ),
    Fault(
        "transfer-bounds-not-checked",
        "emulator/worker/detail/transfers.cpp",
        "if (!holds(*object, lo, hi - lo)) {",
        "if (false) {",
        (("emulator", "*"),),
    ),
    Fault(
        "emulated-heap-without-end",
        "emulator/worker/ldm_heap.cpp",
        "if (offset + size > end_ || size < bytes) return std::nullopt;",
        "if (size < bytes) return std::nullopt;",
        (("emulator", "*"),),
    ),
    Fault(
        "emulated-object-one-longer",
        "emulator/worker/object_table.cpp",
        "if (address - object->lo >= object->size) return nullptr;",
        "if (address - object->lo > object->size) return nullptr;",
        (("emulator", "*"),),
    ),
    Fault(
        "scratchpads-last-from-start-to-start",
        "emulator/worker/detail/threads.cpp",
        "if (loaded_ && started_ == 0) {",
        "if (false) {",
        (("emulator", "*"),),
    ),
    Fault(
        "wait-for-exactly-the-count",
        "emulator/worker/detail/transfers.cpp",
        "while (*reinterpret_cast<volatile std::int32_t*>(counter) < count) {",
        "while (*reinterpret_cast<volatile std::int32_t*>(counter) != count) {",
        (("emulator", "*"),),
    ),
    Fault(
        "words-of-every-machine-are-four-bytes",
        "emulator/worker/detail/transfers.cpp",
        "const std::uint64_t unit = options_.transfer_alignment;",
        "const std::uint64_t unit = 4;",
        (("emulator", "*"),),
    ),
    Fault(
        "put-into-an-input",
        "emulator/worker/detail/transfers.cpp",
        "if (t.direction == Transfer::Direction::Put && object->store_size == 0) {",
        "if (t.direction == Transfer::Direction::Put && object->size == 0) {",
        (("emulator", "*"),),
    ),
    Fault(
        "merged-pointer-without-its-object",
        "emulator/worker/detail/instrument_accesses.cpp",
        "return root_of_phi(*phi);",
        "return stripped;",
        (("emulator", "*RightKernel*"),),
    ),
    Fault(
        "two-instructions-are-three",
        "emulator/worker/issue_pipeline.cpp",
        "if (used_ >= kWidth) return false;",
        "if (used_ > kWidth) return false;",
        (("emulator", "*"),),
    ),
    Fault(
        "pairs-write-one-register",
        "emulator/worker/issue_pipeline.cpp",
        "if (std::find(first_writes_.begin(), first_writes_.end(), reg) != first_writes_.end()) {",
        "if (reg < 0) {",
        (("emulator", "*"),),
    ),
    Fault(
        "blocks-timed-from-empty-pipes",
        "emulator/worker/block_times.cpp",
        "before[b] == kNone ? IssuePipeline(registers)",
        "before[b] != kNone ? IssuePipeline(registers)",
        (("emulator", "*"),),
    ),
    Fault(
        "a-bus-without-sharers",
        "emulator/worker/dma_queue.cpp",
        "if (one.start <= now) one.left = std::max(0.0, one.left - (cycle - now) / share);",
        "if (one.start <= now) one.left = std::max(0.0, one.left - (cycle - now) / std::min(share, 1.0));",
        (("emulator", "*"),),
    ),
    Fault(
        "transfers-start-at-once",
        "emulator/worker/dma_queue.cpp",
        "const Request request{cpe, number, cycle + startup_cycles_,",
        "const Request request{cpe, number, cycle,",
        (("emulator", "*"),),
    ),
    Fault(
        "part-of-a-transaction-written-once",
        "emulator/worker/dma_rate.cpp",
        "partly = skipped + bytes > unit && ends_within ? 2 : 1;",
        "partly = ends_within ? 2 : 1;",
        (("emulator", "*"),),
    ),
    Fault(
        "gets-pay-for-writing",
        "emulator/worker/dma_rate.cpp",
        "if (direction == DmaDirection::Put) {",
        "if (skipped != 0) {",
        (("emulator", "*"),),
    ),
    Fault(
        "in-flight-since-the-last",
        "emulator/worker/timeline_recorder.cpp",
        "if (state.pending.empty()) state.in_flight_since = now;",
        "state.in_flight_since = now;",
        (("emulator", "*"),),
    ),
    Fault(
        "joined-waits-lose-time",
        "emulator/worker/timeline_recorder.cpp",
        "last->waited += wait.waited;",
        "last->waited = wait.waited;",
        (("emulator", "*"),),
    ),
    Fault(
        "other-waits-are-joined",
        "emulator/worker/timeline_recorder.cpp",
        "if (last != nullptr && last->stall == wait.stall &&",
        "if (last != nullptr &&",
        (("emulator", "*"),),
    ),
    Fault(
        "last-line-of-a-timeline",
        "emulator/timeline.cpp",
        'if (!right || word != "end") return std::nullopt;',
        "if (!right) return std::nullopt;",
        (("emulator", "*"),),
    ),
    Fault(
        "messages-without-interval",
        "emulator/worker/detail/clock.cpp",
        "next = has + message_interval();",
        "next = has;",
        (("python", "tests/python/test_calibration.py tests/python/test_timed_mode.py"),),
    ),
    Fault(
        "words-not-extended",
        "emulator/worker/detail/assembly_instructions.cpp",
        "return builder_.CreateSExt(load(builder_.getInt32Ty(), address), builder_.getInt64Ty());",
        "return builder_.CreateZExt(load(builder_.getInt32Ty(), address), builder_.getInt64Ty());",
        (("python", "tests/python/test_cpe_assembly.py"),),
    ),
    Fault(
        "scalars-clear-the-lanes",
        "emulator/worker/detail/assembly_registers.cpp",
        "if (is_whole_[r] && !value->getType()->isVectorTy()) {\n    value = builder_.CreateInsertElement(held(reg), value, std::uint64_t{0});",
        "if (is_whole_[r] && !value->getType()->isVectorTy()) {\n    value = builder_.CreateInsertElement(read_whole(kZeroRegister), value, std::uint64_t{0});",
        (("python", "tests/python/test_cpe_assembly.py"),),
    ),
    Fault(
        "shuffle-of-one-source",
        "emulator/worker/detail/assembly_instructions.cpp",
        "llvm::Value* const lane = builder_.CreateAnd(builder_.CreateLShr(mask, 2 * k), 3);",
        "llvm::Value* const lane = builder_.CreateAnd(builder_.CreateLShr(mask, 2 * k), 1);",
        (("python", "tests/python/test_cpe_assembly.py"),),
    ),
    Fault(
        "counters-of-others-rise-at-once",
        "emulator/worker/detail/remote_copies.cpp",
        (
            "  if (hazards_ != nullptr) return;\n"
            "  for_each_cpe(copy.others, [&](int id) { count_there(copy, id); });\n"
        ),
        (
            "  for_each_cpe(copy.others, [&](int id) { count_there(copy, id); });\n"
            "  if (hazards_ != nullptr) return;\n"
        ),
        (("emulator", "*"),),
    ),
    Fault(
        "one-rise-proves-all-copies",
        "emulator/worker/detail/remote_copies.cpp",
        "if (risen > before) proved.push_back(copy);",
        "if (risen > 0 * before) proved.push_back(copy);",
        (("emulator", "*"),),
    ),
    Fault(
        "rma-makes-no-order",
        "emulator/worker/detail/remote_hazards.cpp",
        ("  clocks_[id].join(copy.order);\n"),
        "",
        (("emulator", "*"),),
    ),
    Fault(
        "sources-of-rma-are-free",
        "emulator/worker/detail/remote_hazards.cpp",
        ("  ldm_.set(copy.here, copy.bytes, kPendingPut);\n}"),
        "}",
        (("emulator", "*"),),
    ),
    Fault(
        "gets-by-rma-are-forgotten",
        "emulator/worker/detail/remote_hazards.cpp",
        ("    reads_.push_back({copy.written, id, there, copy.bytes});\n"),
        "",
        (("emulator", "*"),),
    ),
    Fault(
        "broadcasts-include-their-issuer",
        "emulator/worker/detail/rma_request.cpp",
        "return with_self ? cpes : cpes & ~(CpeSet{1} << issuer);",
        "return with_self ? cpes : cpes | (CpeSet{1} << issuer);",
        (("emulator", "*"),),
    ),
    Fault(
        "told-without-meeting",
        "emulator/worker/detail/remote_hazards.cpp",
        "return (copy.known >> other & 1) != 0 && copy.step[other] <= clocks_[id][other];",
        "return (copy.known >> other & 1) != 0 && copy.step[other] <= clocks_[id][other] + 99;",
        (("emulator", "*"),),
    ),
    Fault(
        "polls-of-counters-count-as-uses",
        "emulator/worker/ldm_order.cpp",
        "if (is_known || writes_[word.write].kind == SharedKind::Counter) continue;",
        "if (!is_known && writes_[word.write].kind == SharedKind::Counter) continue;",
        (("emulator", "*"),),
    ),
]
