#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace solway::emulator {

/// A line of a source file.
struct SourceLine {
  std::string file;
  int line = 0;
};

/// "vmad $1,$2,$3,$3" is "vmad" of four operands. A mark of the linker ("!tprello") is dropped.
struct AssemblyInstruction {
  std::string name;
  std::vector<std::string> operands;
  SourceLine where;
};

/// What stands from the label of a function to that of the next one.
struct AssemblyFunction {
  std::string name;
  SourceLine where;
  std::vector<AssemblyInstruction> instructions;
  std::map<std::string, std::size_t> labels;  ///< the instruction that follows each
};

/// Why a text is not assembly that the emulator reads.
struct AssemblyProblem {
  SourceLine where;
  bool is_unsupported = false;  ///< right on the machine; else wrong there too
  std::string what;
  std::string why;
  std::string fix;
};

struct AssemblyText {
  std::vector<AssemblyFunction> functions;
  std::optional<AssemblyProblem> problem;  ///< the first one; `functions` ends before it
};

/// Reads assembly of a CPE, after the C preprocessor or without it. `file` is the name of the
/// source; marks of the preprocessor give others.
///
/// A function begins at a label that .globl or .ent names. Directives that describe the object file
/// are skipped; data are none of a function's, and so a problem.
AssemblyText read_assembly(const std::string& text, const std::string& file);

}  // namespace solway::emulator
