#include "codegen/athread/detail/exchange_functions.h"

#include "support/error.h"

namespace solway::codegen {
namespace {

/// $N the name, $L "row" or "column", $S the scope of its barrier, $P and $G the calls that send
/// and take.
///
/// The machine does not say who sent a message. A message to the seven others is the last one in
/// all of their buffers at once, so that who has all of one part may send the next; one to a single
/// core is not, and there a barrier keeps the parts apart.
constexpr const char* kRegistersWhole =
    "/* Core p of the first `parts` of a $L has part p of an array; then each has all of it. */\n"
    "static __attribute__((noinline))\n"
    "void $N(char *array, long bytes, long part_bytes, long own, int parts) {\n"
    "  for (long part = 0; part < parts && part * part_bytes < bytes; ++part) {\n"
    "    char *at = array + part * part_bytes;\n"
    "    const long left = bytes - part * part_bytes;\n"
    "    char *const end = at + (left < part_bytes ? left : part_bytes);\n"
    "    intv8 a, b, c, d;\n"
    "    if (part == own && parts == 8) {\n"
    "      for (; at + 128 <= end; at += 128) {\n"
    "        simd_load(a, (int *)at);\n"
    "        simd_load(b, (int *)(at + 32));\n"
    "        simd_load(c, (int *)(at + 64));\n"
    "        simd_load(d, (int *)(at + 96));\n"
    "        $P(a, 8);\n"
    "        $P(b, 8);\n"
    "        $P(c, 8);\n"
    "        $P(d, 8);\n"
    "      }\n"
    "    }\n"
    "    if (part == own) {\n"
    "      for (; at < end; at += 32) {\n"
    "        simd_load(a, (int *)at);\n"
    "        if (parts == 8) $P(a, 8);\n"
    "        for (int to = 0; parts < 8 && to < parts; ++to)\n"
    "          if (to != own) $P(a, to);\n"
    "      }\n"
    "    } else {\n"
    "      for (; at + 128 <= end; at += 128) {\n"
    "        $G(a);\n"
    "        $G(b);\n"
    "        $G(c);\n"
    "        $G(d);\n"
    "        simd_store(a, (int *)at);\n"
    "        simd_store(b, (int *)(at + 32));\n"
    "        simd_store(c, (int *)(at + 64));\n"
    "        simd_store(d, (int *)(at + 96));\n"
    "      }\n"
    "      for (; at < end; at += 32) {\n"
    "        $G(a);\n"
    "        simd_store(a, (int *)at);\n"
    "      }\n"
    "    }\n"
    "    if (parts < 8) athread_syn($S, (1 << parts) - 1);\n"
    "  }\n"
    "}\n";

/// The last message of a part begins within the one before, as the part need not be a multiple.
constexpr const char* kRegistersWords =
    "/* Core p of the first `parts` of a $L has part p of an array; then each has all of it. What\n"
    "   a part has beyond whole messages is sent with what is before it. */\n"
    "static __attribute__((noinline))\n"
    "void $N(char *array, long bytes, long part_bytes, long own, int parts) {\n"
    "  for (long part = 0; part < parts && part * part_bytes < bytes; ++part) {\n"
    "    char *at = array + part * part_bytes;\n"
    "    const long left = bytes - part * part_bytes;\n"
    "    const long size = left < part_bytes ? left : part_bytes;\n"
    "    char *const end = at + size;\n"
    "    intv8 a, b, c, d;\n"
    "    if (part == own && parts == 8) {\n"
    "      for (; at + 128 <= end; at += 128) {\n"
    "        simd_loadu(a, (int *)at);\n"
    "        simd_loadu(b, (int *)(at + 32));\n"
    "        simd_loadu(c, (int *)(at + 64));\n"
    "        simd_loadu(d, (int *)(at + 96));\n"
    "        $P(a, 8);\n"
    "        $P(b, 8);\n"
    "        $P(c, 8);\n"
    "        $P(d, 8);\n"
    "      }\n"
    "    } else if (part != own) {\n"
    "      for (; at + 128 <= end; at += 128) {\n"
    "        $G(a);\n"
    "        $G(b);\n"
    "        $G(c);\n"
    "        $G(d);\n"
    "        simd_storeu(a, (int *)at);\n"
    "        simd_storeu(b, (int *)(at + 32));\n"
    "        simd_storeu(c, (int *)(at + 64));\n"
    "        simd_storeu(d, (int *)(at + 96));\n"
    "      }\n"
    "    }\n"
    "    for (; at < end; at += 32) {\n"
    "      int few[8] __attribute__((aligned(32))) = {0, 0, 0, 0, 0, 0, 0, 0};\n"
    "      char *const from = at + 32 <= end || size < 32 ? at : end - 32;\n"
    "      if (part == own) {\n"
    "        for (long k = 0; size < 32 && k < size / 4; ++k) few[k] = ((int *)from)[k];\n"
    "        simd_loadu(a, size < 32 ? few : (int *)from);\n"
    "        if (parts == 8) $P(a, 8);\n"
    "        for (int to = 0; parts < 8 && to < parts; ++to)\n"
    "          if (to != own) $P(a, to);\n"
    "      } else {\n"
    "        $G(a);\n"
    "        simd_storeu(a, size < 32 ? few : (int *)from);\n"
    "        for (long k = 0; size < 32 && k < size / 4; ++k) ((int *)from)[k] = few[k];\n"
    "      }\n"
    "    }\n"
    "    if (parts < 8) athread_syn($S, (1 << parts) - 1);\n"
    "  }\n"
    "}\n";

constexpr const char* kRegistersRagged =
    "/* Core p of the first `parts` of a $L has part p of an array; then each has all of it.\n"
    "   Bytes pass through a vector, as the array may begin or end within one. */\n"
    "static __attribute__((noinline))\n"
    "void $N(char *array, long bytes, long part_bytes, long own, int parts) {\n"
    "  for (long part = 0; part < parts && part * part_bytes < bytes; ++part) {\n"
    "    char *at = array + part * part_bytes;\n"
    "    const long left = bytes - part * part_bytes;\n"
    "    char *const end = at + (left < part_bytes ? left : part_bytes);\n"
    "    for (; at < end; at += 32) {\n"
    "      int piece[8] __attribute__((aligned(32))) = {0, 0, 0, 0, 0, 0, 0, 0};\n"
    "      const long some = end - at < 32 ? end - at : 32;\n"
    "      intv8 a;\n"
    "      if (part == own) {\n"
    "        memcpy(piece, at, some);\n"
    "        simd_load(a, piece);\n"
    "        if (parts == 8) $P(a, 8);\n"
    "        for (int to = 0; parts < 8 && to < parts; ++to)\n"
    "          if (to != own) $P(a, to);\n"
    "      } else {\n"
    "        $G(a);\n"
    "        simd_store(a, piece);\n"
    "        memcpy(at, piece, some);\n"
    "      }\n"
    "    }\n"
    "    if (parts < 8) athread_syn($S, (1 << parts) - 1);\n"
    "  }\n"
    "}\n";

/// $C the call that copies to the others of the line, $T the number of core `to` of it.
constexpr const char* kCopies =
    "static __thread_local volatile int $N_sent, $N_got;\n"
    "\n"
    "/* Core p of the first `parts` of a $L has part p of an array; then each has all of it. "
    "Nobody\n"
    "   copies before all are here: their arrays may be written then. */\n"
    "static __attribute__((noinline))\n"
    "void $N(char *array, long bytes, long part_bytes, long own, int parts) {\n"
    "  const long all = (bytes + part_bytes - 1) / part_bytes;\n"
    "  const long first = own * part_bytes;\n"
    "  const long left = bytes - first < part_bytes ? bytes - first : part_bytes;\n"
    "  int sent = 0;\n"
    "  if (bytes <= 0) return;\n"
    "  $N_sent = 0;\n"
    "  $N_got = 0;\n"
    "  athread_ssync($S, (1 << parts) - 1);\n"
    "  if (left > 0 && parts == 8) {\n"
    "    $C(array + first, array + first, left,\n"
    "        &$N_sent, &$N_got);\n"
    "    sent = 1;\n"
    "  }\n"
    "  for (int to = 0; left > 0 && parts < 8 && to < parts; ++to) {\n"
    "    if (to == own) continue;\n"
    "    athread_rma_iput(array + first, &$N_sent, left, $T,\n"
    "                     array + first, &$N_got);\n"
    "    ++sent;\n"
    "  }\n"
    "  athread_rma_wait_value(&$N_sent, sent);\n"
    "  athread_rma_wait_value(&$N_got, all - (left > 0));\n"
    "}\n";

std::string filled(const char* text, const std::string& name, ir::MeshLine line) {
  const bool is_row = line == ir::MeshLine::Row;
  std::string out;
  for (const char* p = text; *p != 0; ++p) {
    if (*p != '$') {
      out += *p;
      continue;
    }
    switch (*++p) {
      case 'N':
        out += name;
        break;
      case 'L':
        out += is_row ? "row" : "column";
        break;
      case 'S':
        out += is_row ? "ROW_SCOPE" : "COL_SCOPE";
        break;
      case 'P':
        out += is_row ? "simd_putr" : "simd_putc";
        break;
      case 'G':
        out += is_row ? "simd_getr" : "simd_getc";
        break;
      case 'C':
        out += is_row ? "athread_rma_row_ibcast_other" : "athread_rma_col_ibcast_other";
        break;
      default:
        out += is_row ? "_MYID - _COL + to" : "to * 8 + _COL";
    }
  }
  return out;
}

const char* suffix_of(PartGrain grain) {
  if (grain == PartGrain::Messages) return "";
  return grain == PartGrain::Words ? "_words" : "_pieces";
}

}  // namespace

std::string ExchangeFunctions::name_of(ir::MeshLine line, PartGrain grain) {
  if (paths_ == CorePaths::None) {
    throw InternalError({{},
                         "an exchange between cores that do not reach each other",
                         "require_sharing() should have refused it",
                         ""});
  }
  if (paths_ == CorePaths::Copies) grain = PartGrain::Messages;  // one function for all
  std::string& name = functions_[{line, grain}];
  if (name.empty()) {
    name = names_.fresh(std::string("exchange_") + (line == ir::MeshLine::Row ? "row" : "column") +
                        suffix_of(grain));
  }
  return name;
}

std::string ExchangeFunctions::definitions() const {
  std::string out;
  bool has_pieces = false;
  for (const auto& [key, name] : functions_) {
    const char* const text = paths_ == CorePaths::Copies         ? kCopies
                             : key.second == PartGrain::Messages ? kRegistersWhole
                             : key.second == PartGrain::Words    ? kRegistersWords
                                                                 : kRegistersRagged;
    has_pieces = has_pieces || text == kRegistersRagged;
    out += filled(text, name, key.first) + "\n";
  }
  return has_pieces ? "#include <string.h>\n\n" + out : out;
}

}  // namespace solway::codegen
