#pragma once

#include <set>
#include <string>

namespace solway::codegen {

/// True for the names that helper_definitions() knows: "min_i64", "floor_div_f32", ...
bool is_c_helper(const std::string& name);

/// Static inline C functions of those names, alphabetically, for what C has no exact operator:
/// wrapping arithmetic, floor division, NumPy's minimum, saturating casts. Suffixes: i32, i64,
/// f32, f64. Some need <math.h>.
std::string helper_definitions(const std::set<std::string>& names);

}  // namespace solway::codegen
