#pragma once

#include <string>
#include <utility>
#include <vector>

#include "codegen/athread/detail/exchange_functions.h"
#include "codegen/athread/detail/file_names.h"

namespace solway::codegen {

/// A transfer as texts of C.
struct TransferCall {
  enum class Direction { Get, Put };
  Direction direction = Direction::Get;
  std::string main;               ///< address
  std::string near;               ///< address
  std::string counter;            ///< address
  std::string bytes;              ///< of all
  std::string block_bytes = "0";  ///< "0": one contiguous piece
  std::string blocks = "1";
  std::string gap_bytes = "0";    ///< from the end of a block to the start of the next
  std::string pitch_bytes;        ///< from start to start
  std::string planes = "1";       ///< of so many blocks each
  std::string plane_pitch_bytes;  ///< from start to start
};

/// What C for two sides, a managing core and the cores that compute, writes in another way for each
/// machine: SW26010, SW26010-Pro, and any machine with the interface of docs/generic_dialect.md.
class Dialect {
 public:
  virtual ~Dialect() = default;

  /// The dialect of that machine, see AthreadOptions. Throws InternalError for another one.
  static const Dialect& of(const std::string& machine);

  // Words for people.
  virtual std::string language() const = 0;   ///< "athread C"
  virtual std::string core() const = 0;       ///< "CPE"
  virtual std::string manager() const = 0;    ///< "MPE"
  virtual std::string near() const = 0;       ///< "LDM"
  virtual std::string transfers() const = 0;  ///< "athread_get and athread_put"
  virtual std::string machine() const = 0;    ///< "a core group of SW26010 has 64"

  // Files.
  virtual std::string core_suffix() const = 0;  ///< of the function and file of the cores: "_cpe"
  virtual std::string core_header() const = 0;  ///< "slave.h"
  virtual std::string manager_header() const = 0;  ///< "athread.h"
  /// Lines of the header that both sides include, before its struct; may be empty.
  virtual std::string shared_lines() const = 0;
  /// A Makefile that builds lib`kernel`.a.
  virtual std::string makefile(const FileNames& files) const = 0;
  /// A Makefile that builds lib`network`.a and the program of `network`_main.c. `memory` is the
  /// file that defines the near memory which the layers share, "" without.
  virtual std::string makefile(const std::string& network, const std::vector<FileNames>& layers,
                               const std::string& memory) const = 0;

  // Declarations.
  /// "static const float A[64]" with an alignment, without the semicolon.
  virtual std::string aligned(const std::string& qualifiers, const std::string& declarator,
                              int alignment_bytes) const = 0;
  virtual std::string near_storage() const = 0;  ///< "__thread_local"
  /// "SCRATCHPAD_SHARED", of a variable that all cores see. Throws InternalError where there is
  /// none.
  virtual std::string shared_storage() const = 0;
  virtual std::string counter_type() const = 0;  ///< "volatile int"
  virtual std::string declare_start(const std::string& function) const = 0;

  // Statements and expressions.
  /// The statements before the first start of the cores.
  virtual std::vector<std::string> initialise() const = 0;
  /// The statements that start the cores, wait for their end and return from the entry.
  virtual std::vector<std::string> start_and_return(const std::string& function,
                                                    const std::string& args, int cores) const = 0;
  virtual std::string core_number() const = 0;
  /// How one core reaches another one.
  virtual CorePaths paths() const = 0;
  virtual std::string meet() const = 0;
  /// Waits until `expected` transfers have been counted.
  virtual std::string wait(const std::string& counter, const std::string& expected) const = 0;
  /// The first part of the call, and the rest, which may stand on a line of its own.
  virtual std::pair<std::string, std::string> transfer(const TransferCall& call) const = 0;
};

}  // namespace solway::codegen
