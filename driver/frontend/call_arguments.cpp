#include "driver/frontend/call_arguments.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/error.h"

namespace solway::detail {
namespace {

const char* end_of(const ArrayRef& array) {
  return static_cast<const char*>(array.data()) + array.count() * size_bytes(array.type());
}

}  // namespace

void require_count(const std::string& name, const std::vector<ArrayRef>& arrays,
                   const std::vector<Tensor>& args, const SourceLoc& where) {
  if (arrays.size() == args.size()) return;
  std::string names;
  for (const Tensor& arg : args) names += (names.empty() ? "" : ", ") + arg.name();
  throw ArgumentMismatchError({where, name + " takes " + std::to_string(args.size()) + " arrays",
                               "got " + std::to_string(arrays.size()), "pass " + names});
}

void require_fits(const ArrayRef& array, const Tensor& tensor, std::int64_t elements, ir::Role role,
                  const SourceLoc& where) {
  const auto fail = [&](const std::string& what, const std::string& got,
                        const std::string& wanted) {
    throw ArgumentMismatchError({where, "argument '" + tensor.name() + "' has another " + what,
                                 "got " + got + ", '" + tensor.name() + "' has " + wanted,
                                 "pass an array that fits '" + tensor.name() + "'"});
  };
  if (array.type() != tensor.dtype()) {
    fail("element type", std::string(to_string(array.type())),
         std::string(to_string(tensor.dtype())));
  }
  if (array.count() != elements) {
    fail("size", std::to_string(array.count()) + " elements", std::to_string(elements));
  }
  if (array.is_const() && role != ir::Role::In) {
    fail("mutability", "elements that are const", "values that the kernel writes");
  }
}

void require_no_overlap(const std::vector<ArrayRef>& arrays, const std::vector<Tensor>& args,
                        const std::vector<ir::Role>& roles,
                        const std::vector<std::pair<std::size_t, std::size_t>>& shareable,
                        const SourceLoc& where) {
  for (std::size_t a = 0; a < args.size(); ++a) {
    if (roles[a] == ir::Role::In) continue;
    for (std::size_t b = 0; b < args.size(); ++b) {
      const bool may_be_one =
          std::find(shareable.begin(), shareable.end(), std::pair(a, b)) != shareable.end();
      if (may_be_one && arrays[a].data() == arrays[b].data()) continue;
      if (a == b || arrays[a].data() >= end_of(arrays[b])) continue;
      if (arrays[b].data() >= end_of(arrays[a])) continue;
      throw ArgumentMismatchError(
          {where, "'" + args[a].name() + "' overlaps '" + args[b].name() + "'",
           "both arrays hold the same memory, and '" + args[a].name() + "' is written",
           "pass memory of its own for '" + args[a].name() + "'"});
    }
  }
}

std::vector<std::string> write_sources(const std::map<std::string, std::string>& sources,
                                       const std::string& folder, const SourceLoc& where) {
  std::vector<std::string> out;
  for (const auto& [name, text] : sources) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      throw ArgumentMismatchError({where, "'" + folder + "' cannot be written",
                                   path.string() + " cannot be made", "name a folder that can be"});
    }
    out.push_back(path.string());
  }
  return out;
}

}  // namespace solway::detail
