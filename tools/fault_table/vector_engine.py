"""Faults in the code for SX-Aurora's vector engine: lengths, masks, halves of elements, bytes."""

from fault_table.fault import Fault

_FOLDER = "codegen/llvm/detail/vector_engine"
_KERNELS = ("python", "tests/python/test_vector_engine.py")
_ARITHMETIC = ("python", "tests/python/test_vector_engine_arithmetic.py")
_BYTES = ("python", "tests/python/test_vector_engine_bytes.py")

FAULTS = [
    Fault(
        "engine-combines-lanes-behind-that-count",
        f"{_FOLDER}/active_lengths.cpp",
        "  if (!changes_nothing) return {vector, all};\n",
        "  if (!changes_nothing && known == nullptr) return {vector, all};\n",
        (("codegen_llvm", "ActiveLengths.*"), _KERNELS),
    ),
    Fault(
        "engine-joins-at-the-length-of-the-whole",
        f"{_FOLDER}/mask_forms.cpp",
        "  e.length = lanes.count;\n",
        "",
        (("codegen_llvm", "ActiveLengths.*"), _KERNELS),
    ),
    Fault(
        "engine-mask-not-negated",
        f"{_FOLDER}/mask_forms.cpp",
        "{e.bits_of(number), e.of(choice.getFalseValue()), negated(e, mask)}",
        "{e.bits_of(number), e.of(choice.getFalseValue()), mask}",
        (_KERNELS, _BYTES),
    ),
    Fault(
        "engine-bits-of-floats-in-their-half",
        f"{_FOLDER}/conversion_forms.cpp",
        "  if (from == Element::Float32 && to == Element::Int32) "
        'return e.call("vsrl.vvsl", {held, half});\n',
        "",
        (("codegen_llvm", "LowerVectors.*"), _KERNELS),
    ),
    Fault(
        "engine-extreme-without-nan",
        f"{_FOLDER}/lane_forms.cpp",
        "CreateSelect(is_nan, llvm::ConstantFP::getNaN(type), number)",
        "CreateSelect(is_nan, number, number)",
        (_KERNELS,),
    ),
    Fault(
        "engine-product-of-too-many-lanes",
        f"{_FOLDER}/lane_forms.cpp",
        "    const std::uint64_t kept = lanes - moved;\n",
        "    const std::uint64_t kept = moved;\n",
        (("codegen_llvm", "LowerVectors.*"), _ARITHMETIC),
    ),
    Fault(
        "engine-int64-rounded-twice",
        f"{_FOLDER}/expand_operations.cpp",
        "b.CreateOr(b.CreateAnd(x, number(~kLastBits)), carried)",
        "b.CreateOr(b.CreateAnd(x, number(~kLastBits)), b.CreateAnd(carried, number(0)))",
        (_ARITHMETIC,),
    ),
    Fault(
        "engine-divisors-that-are-denormal",
        "codegen/llvm/detail/float_division.cpp",
        "b.CreateSelect(is_small, ops.word(54), ops.word(0))",
        "ops.word(0)",
        (_ARITHMETIC,),
    ),
    Fault(
        "engine-byte-behind-a-short-row",
        f"{_FOLDER}/byte_forms.cpp",
        "  in_front = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, in_front, count);\n",
        "",
        (_BYTES,),
    ),
    Fault(
        "engine-word-that-is-not-all-its-own",
        f"{_FOLDER}/byte_forms.cpp",
        "{e.b.getInt64(own), part}",
        "{e.b.getInt64(own | ~own), part}",
        (_BYTES,),
    ),
    Fault(
        "engine-bytes-compared-with-what-is-above",
        f"{_FOLDER}/compute_in_words.cpp",
        "comparison->isSigned() ? Above::Sign : Above::Zeros",
        "Above::Any",
        (("codegen_llvm", "ComputeInWords.*"), _BYTES),
    ),
    Fault(
        "engine-numbers-in-each-others-halves",
        f"{_FOLDER}/packed_forms.cpp",
        "e.b.CreateOr(e.b.CreateShl(bits(upper), 32), bits(lower))",
        "e.b.CreateOr(e.b.CreateShl(bits(lower), 32), bits(upper))",
        (_KERNELS,),
    ),
    Fault(
        "engine-packs-what-is-used-in-between",
        f"{_FOLDER}/pack_pairs.cpp",
        "      return used(*i) == &v && is_used_in_pairs(*i, p, q);\n",
        "      return true;\n",
        (("codegen_llvm", "PackPairs.*"),),
    ),
]
