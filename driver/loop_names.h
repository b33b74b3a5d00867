#pragma once

#include <map>
#include <string>

#include "support/error.h"
#include "support/remark.h"

/// What passes and code generators say, with the names that loops have in the schedule: their own
/// names of variables are those of the code, "y_o" for "y.o".
namespace solway::driver {

/// `text` with each word that is a key of `loop_names` replaced by its value.
///
///   "unroll(j_i)" -> "unroll(j.i)" for { "j_i": "j.i" }
std::string in_loop_names(const std::string& text,
                          const std::map<std::string, std::string>& loop_names);

Remark in_loop_names(const Remark& remark, const std::map<std::string, std::string>& loop_names);

Error::Report in_loop_names(const Error::Report& report,
                            const std::map<std::string, std::string>& loop_names);

}  // namespace solway::driver
