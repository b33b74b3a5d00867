#pragma once

#include <map>
#include <string>

#include "emulator/emulator.h"
#include "emulator/subprocess.h"
#include "support/source_loc.h"

namespace solway::emulator::detail {

/// What the worker says at its end: words, each with a text.
using Answer = std::map<std::string, std::string>;

Answer parse_answer(const std::string& text);

/// Throws the error that an answer with "end" = "failure" tells.
[[noreturn]] void throw_failure(Answer& answer);

/// The answer of a worker that came to an end of its own; every other end is an error here.
/// `seconds`: what it was allowed to take.
Answer require_answer(const ChildResult& child, const KernelSources& sources, double seconds);

/// A line of a file, with its text.
SourceLoc location(const std::string& file, int line);

}  // namespace solway::emulator::detail
