#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/vector_lines.h"

namespace solway::codegen {

/// Declares variables of a type, a few on each line.
void declare(CText& out, const std::string& type, const std::vector<std::string>& names);

/// Whether a text is a name, or digits.
bool is_name(const std::string& text);

/// Vector statements that are written together: their variables, then loads before what is
/// computed and stored (vector_lines.h).
///
///   named("simd_vadds(" + loaded("floatv4", "simd_load(@, &A[0]);", where) + ", v)", "floatv4",
///         where)
///
///   floatv4 v0, v1;
///   simd_load(v0, &A[0]);
///   v1 = simd_vadds(v0, v);
class VectorGroup {
 public:
  /// Keeps references to all. `where` is called with each line's place before it is written.
  VectorGroup(CNames& names, CExprPrinter& exprs, CText& out,
              std::function<void(const SourceLoc&)> where);

  std::size_t num_loads() const { return loads_.size(); }
  /// A new variable.
  std::string variable(const std::string& type);
  /// A new array of `size` numbers of a type.
  std::string array(const std::string& type, int size);
  /// The variable that `statement`, with '@' for its name, sets before what uses it; one for
  /// statements that are the same.
  std::string loaded(const std::string& type, const std::string& statement, const SourceLoc& where);
  /// The same value under a name.
  std::string named(const std::string& text, const std::string& type, const SourceLoc& where);
  void add(VectorLine line) { work_.push_back(std::move(line)); }
  /// The text of the last line's value, which then needs no name, if that is what `name` holds;
  /// else `name`.
  std::string last_value(const std::string& name);

  enum class Scope { Own, Present };
  /// Writes what has been collected, in braces or where it stands, and begins anew.
  void end(Scope scope, LoadPlace place = LoadPlace::First);

 private:
  CNames& names_;
  CExprPrinter& exprs_;
  CText& out_;
  std::function<void(const SourceLoc&)> where_;
  std::map<std::string, std::vector<std::string>> variables_;  ///< by type
  std::map<std::string, std::string> loaded_by_;               ///< by the statement
  std::vector<VectorLine> loads_;
  std::vector<VectorLine> work_;
};

}  // namespace solway::codegen
