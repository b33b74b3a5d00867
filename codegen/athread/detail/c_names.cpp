#include "codegen/athread/detail/c_names.h"

#include <algorithm>
#include <string_view>

#include "codegen/athread/detail/c_helpers.h"
#include "codegen/athread/detail/vector_functions.h"
#include "codegen/c/names.h"

namespace solway::codegen {
namespace {

constexpr std::string_view kReserved[] = {
    // C99 and the words of gnu99
    "asm", "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "typeof",
    "union", "unsigned", "void", "volatile", "while",
    // libraries
    "main", "size_t", "ptrdiff_t", "NULL", "INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF", "j0", "j1",
    "jn", "y0", "y1", "yn", "j0f", "j1f", "jnf", "y0f", "y1f", "ynf", "gamma", "lgamma", "tgamma",
    "signgam", "abs", "labs", "round", "roundf", "isnan", "isinf", "isfinite", "linux", "unix",
    // athread
    "scope", "dma", "dma_op", "dma_mode", "dma_desc", "dma_wait", "PE_MODE", "BCAST_MODE",
    "ROW_MODE", "BROW_MODE", "RANK_MODE", "ROW_SCOPE", "COL_SCOPE", "ARRAY_SCOPE", "DMA_PUT",
    "DMA_GET", "SLAVE_FUN", "CRTS_tid",
    // the generic interface
    "SCRATCHPAD", "SCRATCHPAD_ALIGNED", "SCRATCHPAD_SHARED", "solway_long_has_64_bits"};

bool starts_with_any(const std::string& name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return name.rfind(p, 0) == 0; });
}

}  // namespace

bool is_reserved_in_c(const std::string& name) {
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) {
    return true;
  }
  return c99::is_math_function(name) || is_c_helper(name) || is_vector_function_name(name) ||
         starts_with_any(
             name, {"_", "sw_f", "sw_bf", "athread_", "simd_", "slave_", "ldm_", "scratchpad_"});
}

CNames::CNames(const std::set<std::string>& kernel_names, const std::set<std::string>& file_names)
    : used_(kernel_names), file_names_(file_names) {
  used_.insert(file_names.begin(), file_names.end());
}

std::string CNames::of(const std::string& ir_name) {
  const auto it = name_of_.find(ir_name);
  if (it != name_of_.end()) return it->second;
  // A leading underscore is the implementation's; "v_x" is nobody's.
  const bool is_free = !is_reserved_in_c(ir_name) && file_names_.count(ir_name) == 0;
  std::string name = ir_name;
  if (!is_free) name = ir_name[0] == '_' ? fresh("v" + ir_name) : fresh(ir_name + "_");
  used_.insert(name);
  return name_of_[ir_name] = name;
}

std::string CNames::fresh(const std::string& wish) {
  std::string name = wish;
  for (int n = 2; used_.count(name) != 0 || is_reserved_in_c(name); ++n) {
    name = wish + std::to_string(n);
  }
  used_.insert(name);
  return name;
}

void CNames::release(const std::string& fresh_name) { used_.erase(fresh_name); }

}  // namespace solway::codegen
