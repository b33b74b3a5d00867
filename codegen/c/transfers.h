#pragma once

#include <map>
#include <string>

#include "lowering/ir/stmt.h"

namespace solway::codegen::c99 {

/// The transfers of a kernel: what their run-time records must hold.
struct TransferTable {
  std::map<std::string, int> slots_of;  ///< id, number of slots
  int rank = 1;                         ///< most dimensions of any

  explicit TransferTable(const ir::Kernel& kernel);
  bool empty() const { return slots_of.empty(); }
};

/// `struct sw_transfer` and the functions that run one; `poison` adds sw_poison().
std::string transfer_definitions(const TransferTable& table, bool poison);

/// Name of the array of records of a transfer: "sw_AA".
std::string record_name(const std::string& id);

}  // namespace solway::codegen::c99
