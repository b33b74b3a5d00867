#include "emulator/kernel_toml.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include <toml++/toml.h>

#include "support/dtype.h"
#include "support/error.h"

namespace solway::emulator {
namespace {

bool is_identifier(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

std::string names_of(const std::map<std::string, std::int64_t>& sizes) {
  std::string out;
  for (const auto& [name, value] : sizes) out += (out.empty() ? "'" : ", '") + name + "'";
  return out;
}

std::string stripped(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Reads one file; every complaint names its line.
class Reader {
 public:
  Reader(std::filesystem::path folder, const ChosenSizes& chosen)
      : folder_(std::move(folder)), file_((folder_ / "kernel.toml").string()), chosen_(chosen) {}

  KernelSources read() {
    const toml::table root = parse();
    check_keys(root, "", {"kernel", "sources", "sizes", "argument"});
    KernelSources kernel;
    const toml::table& head = table(root, "", "kernel");
    check_keys(head, "kernel", {"name", "target", "entry"});
    kernel.name = text(head, "kernel", "name");
    if (!is_identifier(kernel.name)) {
      fail(at(*head.get("name")), "'" + kernel.name + "' is no name of a kernel",
           "a name is a C identifier", "use letters, digits and '_'");
    }
    kernel.target = text(head, "kernel", "target");
    const std::set<std::string> machines = {"sw26010", "sw26010pro", "generic"};
    if (!machines.contains(kernel.target)) {
      fail(at(*head.get("target")), "unknown target '" + kernel.target + "'",
           "targets are \"sw26010\", \"sw26010pro\" and \"generic\"", "use one of these");
    }
    kernel.entry = text(head, "kernel", "entry");
    if (!is_identifier(kernel.entry)) {
      fail(at(*head.get("entry")), "'" + kernel.entry + "' is no name of a C function",
           "entry names the MPE function that is called", "use a C identifier");
    }
    read_sources(table(root, "", "sources"), kernel);
    read_sizes(root, kernel);
    read_arguments(root, kernel);
    return kernel;
  }

 private:
  [[noreturn]] void fail(SourceLoc where, std::string what, std::string why,
                         std::string fix) const {
    throw DslError({std::move(where), std::move(what), std::move(why), std::move(fix)});
  }

  SourceLoc line(int number) const {
    std::ifstream stream(file_);
    std::string text;
    for (int i = 0; i < number && std::getline(stream, text); ++i) {
    }
    return {file_, number, stripped(text)};
  }

  SourceLoc at(const toml::node& node) const {
    return line(static_cast<int>(node.source().begin.line));
  }

  toml::table parse() const {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file_, error)) {
      fail({file_, 0, ""}, "'" + folder_.string() + "' is not the folder of a kernel",
           "it has no file kernel.toml", "write one: [kernel], [sources], [[argument]]");
    }
    try {
      return toml::parse_file(file_);
    } catch (const toml::parse_error& e) {
      fail(line(static_cast<int>(e.source().begin.line)), "kernel.toml is not TOML",
           std::string(e.description()), "correct this line");
    }
  }

  void check_keys(const toml::table& table, const std::string& in,
                  const std::set<std::string_view>& known) const {
    for (const auto& [key, value] : table) {
      if (known.contains(key.str())) continue;
      std::string list;
      for (const std::string_view name : known) {
        list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
      }
      fail(line(static_cast<int>(key.source().begin.line)),
           "unknown key '" + std::string(key.str()) + "'" + (in.empty() ? "" : " in [" + in + "]"),
           "the keys are " + list, "remove it, or correct its spelling");
    }
  }

  const toml::node& required(const toml::table& table, const std::string& in,
                             const std::string& key) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) {
      fail(at(table), "missing key '" + key + "'" + (in.empty() ? "" : " in [" + in + "]"),
           "it is required", "add it");
    }
    return *node;
  }

  [[noreturn]] void fail_type(const toml::node& node, const std::string& key,
                              const std::string& expected) const {
    fail(at(node), "'" + key + "' is not " + expected, "its value has another type",
         "write " + expected);
  }

  const toml::table& table(const toml::table& parent, const std::string& in,
                           const std::string& key) const {
    const toml::node& node = required(parent, in, key);
    if (!node.is_table()) fail_type(node, key, "a table");
    return *node.as_table();
  }

  std::string text(const toml::table& parent, const std::string& in, const std::string& key) const {
    const toml::node& node = required(parent, in, key);
    if (!node.is_string()) fail_type(node, key, "a text");
    return node.as_string()->get();
  }

  std::vector<std::filesystem::path> paths(const toml::table& parent,
                                           const std::string& key) const {
    const toml::node& node = required(parent, "sources", key);
    if (!node.is_array()) fail_type(node, key, "a list of paths");
    std::vector<std::filesystem::path> result;
    for (const toml::node& element : *node.as_array()) {
      if (!element.is_string()) fail_type(element, key, "a list of paths");
      const std::filesystem::path relative(element.as_string()->get());
      const auto normal = relative.lexically_normal();
      if (relative.is_absolute() || normal.string().starts_with("..")) {
        fail(at(element), "'" + relative.string() + "' leaves the kernel's folder",
             "paths are relative to kernel.toml and inside its folder", "move the file here");
      }
      const auto path = std::filesystem::absolute(folder_ / normal);
      if (!std::filesystem::exists(path)) {
        fail(at(element), "'" + relative.string() + "' does not exist", "'" + key + "' names it",
             "correct the path");
      }
      result.push_back(path);
    }
    return result;
  }

  void read_sources(const toml::table& sources, KernelSources& kernel) const {
    check_keys(sources, "sources", {"mpe", "cpe", "include", "defines", "stack"});
    kernel.mpe = paths(sources, "mpe");
    kernel.cpe = paths(sources, "cpe");
    for (const char* const key : {"mpe", "cpe"}) {
      if ((key[0] == 'm' ? kernel.mpe : kernel.cpe).empty()) {
        fail(at(*sources.get(key)), std::string("'") + key + "' names no file",
             "a kernel has sources of both sides", "list the C files");
      }
    }
    if (sources.contains("include")) kernel.include = paths(sources, "include");
    if (sources.contains("defines")) {
      const toml::node& node = *sources.get("defines");
      if (!node.is_table()) fail_type(node, "defines", "a table of texts");
      for (const auto& [key, value] : *node.as_table()) {
        if (!value.is_string()) fail_type(value, std::string(key.str()), "a text");
        if (!is_identifier(std::string(key.str()))) {
          fail(at(value), "'" + std::string(key.str()) + "' is no name of a macro",
               "a macro is a C identifier", "use letters, digits and '_'");
        }
        kernel.defines.emplace_back(key.str(), value.as_string()->get());
      }
    }
    if (sources.contains("stack")) {
      const std::string place = text(sources, "sources", "stack");
      if (place != "ldm" && place != "main") {
        fail(at(*sources.get("stack")), "unknown stack '" + place + "'",
             "the CPE stack lies in \"ldm\" or \"main\"", "use one of these");
      }
      kernel.stack = place == "main" ? StackPlace::Main : StackPlace::Ldm;
    }
  }

  void read_sizes(const toml::table& root, KernelSources& kernel) const {
    if (root.contains("sizes")) read_defaults(table(root, "", "sizes"), kernel);
    for (const auto& [name, value] : sizes_of_shapes(root)) {
      const auto size = kernel.sizes.find(name);
      if (size != kernel.sizes.end()) size->second = value;
    }
    for (const auto& [name, value] : chosen_.sizes) {
      if (!kernel.sizes.contains(name)) fail_unknown_size(name, kernel);
      kernel.sizes[name] = value;
    }
  }

  void read_defaults(const toml::table& sizes, KernelSources& kernel) const {
    for (const auto& [key, value] : sizes) {
      const std::string name(key.str());
      if (!value.is_integer()) fail_type(value, name, "an integer");
      if (!is_identifier(name)) {
        fail(at(value), "'" + name + "' is no name of a size",
             "a size is a macro of the C sources, so a C identifier",
             "use letters, digits and '_'");
      }
      if (std::any_of(kernel.defines.begin(), kernel.defines.end(),
                      [&](const auto& define) { return define.first == name; })) {
        fail(at(value), "'" + name + "' is in 'defines' and in [sizes]",
             "both are macros of the C sources", "remove one of them");
      }
      kernel.sizes.emplace(name, value.as_integer()->get());
    }
  }

  /// What the shapes that the caller gives say of the sizes; the first one counts.
  std::map<std::string, std::int64_t> sizes_of_shapes(const toml::table& root) const {
    std::map<std::string, std::int64_t> found;
    const toml::array* const arguments = root["argument"].as_array();
    if (arguments == nullptr) return found;
    for (std::size_t a = 0; a < std::min(arguments->size(), chosen_.shapes.size()); ++a) {
      const toml::table* const argument = arguments->get(a)->as_table();
      if (argument == nullptr) continue;
      const toml::array* const shape = (*argument)["shape"].as_array();
      const std::vector<std::int64_t>& given = chosen_.shapes[a];
      if (shape == nullptr || shape->size() != given.size()) continue;
      for (std::size_t d = 0; d < given.size(); ++d) {
        const toml::value<std::string>* const name = shape->get(d)->as_string();
        if (name != nullptr) found.emplace(name->get(), given[d]);
      }
    }
    return found;
  }

  [[noreturn]] void fail_unknown_size(const std::string& name, const KernelSources& kernel) const {
    throw ArgumentMismatchError(
        {chosen_.where, "hand kernel '" + kernel.name + "' has no size '" + name + "'",
         kernel.sizes.empty() ? std::string("its kernel.toml has no [sizes]")
                              : "its sizes are " + names_of(kernel.sizes),
         "correct the name, or add it to [sizes]"});
  }

  void read_arguments(const toml::table& root, KernelSources& kernel) const {
    const toml::node* const node = root.get("argument");
    if (node == nullptr) return;
    if (!node->is_array_of_tables()) fail_type(*node, "argument", "a list of [[argument]] tables");
    std::set<std::string> names;
    for (const toml::node& element : *node->as_array()) {
      const toml::table& argument = *element.as_table();
      check_keys(argument, "argument", {"name", "dtype", "shape", "role", "at_most"});
      Parameter parameter;
      parameter.name = text(argument, "argument", "name");
      if (!is_identifier(parameter.name) || !names.insert(parameter.name).second) {
        fail(at(*argument.get("name")), "'" + parameter.name + "' cannot name this argument",
             "names are C identifiers, each used once", "choose another name");
      }
      parameter.dtype = text(argument, "argument", "dtype");
      if (!try_dtype(parameter.dtype)) {
        fail(at(*argument.get("dtype")), "unknown dtype '" + parameter.dtype + "'",
             "dtypes are float64, float32, float16, bfloat16, int64, int32, int16, int8, uint8 and "
             "bool",
             "use one of these");
      }
      read_shape(argument, kernel, parameter);
      if (const toml::node* const at_most = argument.get("at_most")) {
        if (!at_most->is_boolean()) fail_type(*at_most, "at_most", "true or false");
        parameter.is_upper_bound = at_most->as_boolean()->get();
      }
      const std::string role = text(argument, "argument", "role");
      if (role != "in" && role != "out" && role != "inout") {
        fail(at(*argument.get("role")), "unknown role '" + role + "'",
             "roles are \"in\", \"out\" and \"inout\"", "use one of these");
      }
      parameter.role = role == "in" ? Role::In : role == "out" ? Role::Out : Role::InOut;
      if (parameter.shape.empty() && parameter.role != Role::In) {
        fail(at(*argument.get("role")), "scalar '" + parameter.name + "' has role \"" + role + "\"",
             "a scalar is passed by value", "use role \"in\", or shape [1]");
      }
      kernel.parameters.push_back(std::move(parameter));
    }
  }

  void read_shape(const toml::table& argument, const KernelSources& kernel,
                  Parameter& parameter) const {
    const toml::node& shape = required(argument, "argument", "shape");
    if (!shape.is_array()) fail_type(shape, "shape", "a list of extents");
    for (const toml::node& node : *shape.as_array()) {
      const std::int64_t extent = extent_of(node, kernel);
      if (extent < 0) {
        fail(at(node), "'" + parameter.name + "' has the extent " + std::to_string(extent),
             "an extent is 0 or more", "correct the shape");
      }
      parameter.shape.push_back(extent);
    }
  }

  std::int64_t extent_of(const toml::node& node, const KernelSources& kernel) const {
    if (const auto* const number = node.as_integer()) return number->get();
    const auto* const name = node.as_string();
    if (name == nullptr) fail_type(node, "shape", "a list of extents");
    const auto size = kernel.sizes.find(name->get());
    if (size != kernel.sizes.end()) return size->second;
    fail(at(node), "unknown size '" + name->get() + "' in 'shape'",
         kernel.sizes.empty() ? std::string("there is no [sizes]")
                              : "[sizes] has " + names_of(kernel.sizes),
         "an extent is an integer, or a name in [sizes]");
  }

  std::filesystem::path folder_;
  std::string file_;
  const ChosenSizes& chosen_;
};

}  // namespace

std::int64_t Parameter::size_bytes() const {
  const auto type = try_dtype(dtype);
  std::int64_t bytes = type ? solway::size_bytes(*type) : 0;
  for (const std::int64_t extent : shape) bytes *= extent;
  return bytes;
}

KernelSources load_hand_kernel(const std::filesystem::path& folder, const ChosenSizes& chosen) {
  auto normal = folder.lexically_normal();
  if (!normal.has_filename()) normal = normal.parent_path();
  return Reader(normal, chosen).read();
}

std::string with_sizes(const std::string& toml, const std::map<std::string, std::int64_t>& sizes) {
  std::vector<std::string> lines;
  std::istringstream stream(toml);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  const toml::table root = toml::parse(toml);
  const toml::table* const table = root["sizes"].as_table();
  if (table == nullptr) return toml;
  std::string out;
  // A line holds several sizes if the table is written in line: the last is replaced first.
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, std::string>> changes;
  for (const auto& [key, value] : *table) {
    const auto size = sizes.find(std::string(key.str()));
    const toml::source_region& place = value.source();
    if (size == sizes.end()) continue;
    changes[{place.begin.line, place.begin.column}] = {place.end.column - place.begin.column,
                                                       std::to_string(size->second)};
  }
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const auto& [place, text] = *change;
    lines[place.first - 1].replace(place.second - 1, text.first, text.second);
  }
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace solway::emulator
