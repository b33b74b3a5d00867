#include "driver/frontend/size_values.h"

#include <optional>
#include <set>

#include "dsl/evaluate.h"
#include "support/error.h"

namespace solway::detail {
namespace {

std::int64_t value_of(const Extent& extent, const SizeValues& values) {
  return extent.is_constant() ? extent.max() : dsl::evaluate(extent.node().value, values);
}

/// The sizes in the shape of a tensor.
std::set<std::string> names_in(const Tensor& tensor) {
  std::set<std::string> out;
  for (const Extent& extent : tensor.shape()) {
    if (extent.is_constant()) continue;
    for (const dsl::Size& size : dsl::sizes_of(extent.node().value)) out.insert(size->name);
  }
  return out;
}

/// The value of `size` with which `tensor` has `count` elements, the least of several; nullopt when
/// some extent falls as the size grows, or none fits.
std::optional<std::int64_t> solved(const Tensor& tensor, const dsl::Size& size, SizeValues values,
                                   std::int64_t count) {
  const auto extent_at = [&](const Extent& extent, std::int64_t value) {
    values[size->name] = value;
    return value_of(extent, values);
  };
  for (const Extent& extent : tensor.shape()) {
    if (extent_at(extent, size->max) < extent_at(extent, size->min)) return std::nullopt;
  }
  const auto elements_at = [&](std::int64_t value) {
    values[size->name] = value;
    return elements_of(tensor, values);
  };
  std::int64_t low = size->min;
  std::int64_t high = size->max;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (elements_at(middle) >= count) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return elements_at(low) == count ? std::optional(low) : std::nullopt;
}

void require_given(const std::string& kernel, const std::vector<dsl::Size>& sizes,
                   const SizeValues& given, const SourceLoc& where) {
  for (const auto& [name, value] : given) {
    std::string names;
    bool is_known = false;
    for (const dsl::Size& size : sizes) {
      names += (names.empty() ? "'" : ", '") + size->name + "'";
      if (size->name != name) continue;
      is_known = true;
      if (value >= size->min && value <= size->max) continue;
      throw ArgumentMismatchError({where, "size '" + name + "' is out of its bounds",
                                   "got " + std::to_string(value) + ", it runs from " +
                                       std::to_string(size->min) + " to " +
                                       std::to_string(size->max),
                                   "pass a value within them"});
    }
    if (is_known) continue;
    throw ArgumentMismatchError({where, kernel + " has no size '" + name + "'",
                                 "its sizes are " + (names.empty() ? "none" : names),
                                 "name one of them"});
  }
}

}  // namespace

std::int64_t elements_of(const Tensor& tensor, const SizeValues& values) {
  std::int64_t out = 1;
  for (const Extent& extent : tensor.shape()) out *= value_of(extent, values);
  return out;
}

SizeValues size_values(const std::string& kernel, const std::vector<dsl::Size>& sizes,
                       const std::vector<Tensor>& args, const std::vector<std::int64_t>& counts,
                       const SizeValues& given, const SourceLoc& where) {
  require_given(kernel, sizes, given, where);
  SizeValues out = given;
  // An array may tell a size that another one needs: as many rounds as there are sizes.
  for (std::size_t round = 0; round < sizes.size() && out.size() < sizes.size(); ++round) {
    for (const dsl::Size& size : sizes) {
      for (std::size_t k = 0; k < args.size() && out.count(size->name) == 0; ++k) {
        std::set<std::string> unknown = names_in(args[k]);
        for (const auto& [name, value] : out) unknown.erase(name);
        if (unknown != std::set<std::string>{size->name}) continue;
        const std::optional<std::int64_t> found = solved(args[k], size, out, counts[k]);
        if (found) out.emplace(size->name, *found);
      }
    }
  }
  for (const dsl::Size& size : sizes) {
    if (out.count(size->name) != 0) continue;
    throw ArgumentMismatchError({where, kernel + " needs the value of '" + size->name + "'",
                                 "no array has a number of elements that tells it, with " +
                                     std::to_string(size->min) + " <= " + size->name +
                                     " <= " + std::to_string(size->max),
                                 "pass {.sizes = {{\"" + size->name + "\", ...}}}"});
  }
  return out;
}

}  // namespace solway::detail
