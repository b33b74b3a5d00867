#include "driver/program_memory.h"

#include <map>
#include <string>
#include <vector>

#include "support/error.h"

namespace solway::driver {
namespace {

std::int64_t size_bytes_of(const schedule::Array& array) {
  std::int64_t bytes = size_bytes(array.type);
  for (const std::int64_t extent : array.shape) bytes *= extent;
  return bytes;
}

/// "AA 1024, BB 32768".
std::string list_of(const std::vector<CapacityError::Buffer>& buffers) {
  std::string text;
  for (const CapacityError::Buffer& buffer : buffers) {
    text += (text.empty() ? "" : ", ") + buffer.name + " " + std::to_string(buffer.size_bytes);
  }
  return text;
}

void require_capacity(const std::string& scope, const std::vector<CapacityError::Buffer>& buffers,
                      const Target& target, const SourceLoc& where) {
  const Memory& memory = target.require_scope(scope, where);
  if (memory.kind != MemoryKind::Scratchpad) return;
  const std::int64_t available = memory.size_bytes - memory.reserved_bytes;
  std::int64_t needed = 0;
  for (const CapacityError::Buffer& buffer : buffers) needed += buffer.size_bytes;
  if (needed <= available) return;
  throw CapacityError(
      {where,
       "the buffers take " + std::to_string(needed) + " bytes of '" + scope + "' on target '" +
           target.name + "', which has " + std::to_string(available),
       "bytes of each buffer: " + list_of(buffers),
       "stage a smaller region, or split its loops by smaller factors"},
      needed, available, buffers);
}

}  // namespace

void require_memory(const schedule::Program& program, const Target& target,
                    const SourceLoc& where) {
  std::map<std::string, std::vector<CapacityError::Buffer>> by_scope;
  for (const auto& [name, buffer] : program.buffers) {
    const schedule::Array& array = program.array(name);
    const std::string scope = array.scope.empty() ? target.default_scope : array.scope;
    target.require_scope(scope, buffer.where);
    by_scope[scope].push_back({name, size_bytes_of(array), buffer.primitive});
  }
  for (const auto& [scope, buffers] : by_scope) require_capacity(scope, buffers, target, where);
}

}  // namespace solway::driver
