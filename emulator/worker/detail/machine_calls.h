#pragma once

#include <cstdint>
#include <string>

namespace solway::emulator {

/// Whose calls a program makes: the folders of headers of emulator/include.
enum class MachineCalls { Sw26010, Sw26010Pro, Generic };

/// "sw26010", "sw26010pro" or "generic".
MachineCalls machine_calls(const std::string& word);

/// Of what a block of ldm_malloc begins at a multiple: of the machine's longest vectors. Assumed of
/// SW26010-Pro, whose public programs (swops) load vectors of 64 bytes from such blocks.
std::uint64_t heap_grain(MachineCalls calls);

/// What programs call to let cores meet.
const char* barrier_name(MachineCalls calls);
/// And those of all core groups; null: they cannot.
const char* machine_barrier_name(MachineCalls calls);

/// Text of a failure, which is written in Sunway's words, in those of the program: of the generic
/// interface "LDM" is "scratchpad", "CPE 5" "core 5" and athread_syn scratchpad_meet. Names in
/// quotes and parts of longer words, as in paths of files, stay.
std::string in_words_of(MachineCalls calls, const std::string& text);

}  // namespace solway::emulator
