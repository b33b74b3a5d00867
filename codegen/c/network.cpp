#include "codegen/c/network.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace solway::codegen {
namespace {

constexpr const char* kArea = "area";
constexpr const char* kStatus = "status";

/// The identifiers of the parameters: their names where C allows it.
class ParamNames {
 public:
  ParamNames(const Network& network, const NetworkStyle& style) {
    std::set<std::string> used{network.name, kArea,  kStatus, "block", "main",
                               "argc",       "argv", "load",  "save",  "memory"};
    for (const Network::Layer& layer : network.layers) used.insert(layer.name);
    for (const ir::Param& param : network.params) {
      std::string name = param.buffer->name;
      while (style.is_reserved(name) || !used.insert(name).second) name += "_";
      names_.push_back(name);
    }
  }
  const std::string& of(std::size_t param) const { return names_[param]; }

 private:
  std::vector<std::string> names_;
};

std::string pointer(const ir::Param& param, const NetworkStyle& style, const std::string& name) {
  return (param.role == ir::Role::In ? "const " : "") + style.type(param.buffer->type) + " *" +
         name;
}

std::string prototype(const Network& network, const NetworkStyle& style, const ParamNames& names) {
  std::string out = style.result + " " + network.name + "(";
  for (std::size_t k = 0; k < network.params.size(); ++k) {
    out += (k == 0 ? "" : ", ") + pointer(network.params[k], style, names.of(k));
  }
  return out + (network.params.empty() ? "void)" : ")");
}

std::string shape_text(const ir::BufferNode& buffer) {
  std::string out;
  for (const std::int64_t extent : buffer.shape) out += "[" + std::to_string(extent) + "]";
  return out.empty() ? "[1]" : out;
}

std::string operand_text(const NetworkStyle& style, const ParamNames& names,
                         const Network::Layer& layer, std::size_t k) {
  const Network::Operand& operand = layer.operands[k];
  if (operand.is_param) return names.of(operand.param);
  const std::string place =
      operand.offset_bytes == 0
          ? kArea
          : "(" + std::string(kArea) + " + " + std::to_string(operand.offset_bytes) + ")";
  return "(" + style.type(layer.params[k].buffer->type) + " *)" + place;
}

/// "  status = net_conv(x, w, (float *)area);", on as many lines as it needs.
std::string call_text(const NetworkStyle& style, const ParamNames& names,
                      const Network::Layer& layer) {
  constexpr std::size_t kMaxColumns = 100;
  std::string line = std::string("  ") + kStatus + " = " + layer.name + "(";
  const std::string indent(line.size(), ' ');
  std::string out;
  for (std::size_t k = 0; k < layer.operands.size(); ++k) {
    const bool is_last = k + 1 == layer.operands.size();
    const std::string word = operand_text(style, names, layer, k) + (is_last ? ");" : ",");
    if (k > 0 && line.size() + 1 + word.size() > kMaxColumns) {
      out += line + "\n";
      line = indent + word;
    } else {
      line += (k == 0 ? "" : " ") + word;
    }
  }
  return out + line + (layer.operands.empty() ? ");" : "") + "\n";
}

/// "name: float[1][64], read" for each parameter.
std::string params_comment(const Network& network, const NetworkStyle& style,
                           const ParamNames& names) {
  std::string out = "/* Runs the network once. Arrays are dense, row-major, and do not overlap:\n";
  for (std::size_t k = 0; k < network.params.size(); ++k) {
    const ir::Param& param = network.params[k];
    const char* use = param.role == ir::Role::In    ? "read"
                      : param.role == ir::Role::Out ? "written"
                                                    : "read and written";
    out += "     " + names.of(k) + ": " + style.type(param.buffer->type) +
           shape_text(*param.buffer) + ", " + use + "\n";
  }
  return out + "   Returns 0 when done. */\n";
}

}  // namespace

std::string network_header(const Network& network, const NetworkStyle& style) {
  const ParamNames names(network, style);
  std::string guard = network.name + "_H";
  std::transform(guard.begin(), guard.end(), guard.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return "#ifndef " + guard + "\n#define " + guard + "\n\n" + style.header_lines +
         params_comment(network, style, names) + prototype(network, style, names) + ";\n\n#endif\n";
}

std::string network_entry(const Network& network, const NetworkStyle& style) {
  const ParamNames names(network, style);
  std::string out = "/* " + network.name + ": the layers in order. */\n";
  for (const std::string& line : style.includes) out += line + "\n";
  out += "\n#include \"" + network.name + ".h\"\n\n";
  const bool is_static = static_cast<bool>(style.area);
  const std::string bytes = std::to_string(network.area_bytes);
  if (is_static && network.area_bytes > 0) {
    out += "/* " + bytes + " bytes for all arrays between and within layers. */\n" +
           style.area(std::string(kArea) + "[" + bytes + "]") + ";\n\n";
  }
  out += prototype(network, style, names) + " {\n";
  const bool is_own = !is_static && network.area_bytes > 0;
  if (is_own) {
    const std::string unit = std::to_string(network.alignment_bytes);
    out += "  /* For all arrays between and within layers. */\n";
    out += "  char *const block = malloc((size_t)" + bytes + " + " + unit + ");\n";
    out += "  if (block == NULL) return 1;\n";
    out += std::string("  char *const ") + kArea + " = block + (" + unit +
           " - (uintptr_t)block % " + unit + ");\n";
  }
  for (const std::string& line : style.start) out += "  " + line + "\n";
  out += "  " + style.result + " " + kStatus + " = 0;\n";
  for (std::size_t k = 0; k < network.layers.size(); ++k) {
    out += call_text(style, names, network.layers[k]);
    if (k + 1 == network.layers.size()) break;
    out += std::string("  if (") + kStatus + " != 0) " +
           (is_own ? "goto end;\n" : std::string("return ") + kStatus + ";\n");
  }
  if (is_own) out += std::string(network.layers.size() > 1 ? "end:\n" : "") + "  free(block);\n";
  return out + "  return " + kStatus + ";\n}\n";
}

std::string network_main(const Network& network, const NetworkStyle& style) {
  const ParamNames names(network, style);
  const std::string& name = network.name;
  std::string out = "/* " + name + " FOLDER: reads the inputs from FOLDER, runs the network, " +
                    "writes the outputs.\n   A file holds the elements of one array, row-major, " +
                    "as this machine has them in memory. */\n";
  out += "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n#include \"" + name +
         ".h\"\n\n";
  out += R"(/* The file of an array; ends the program where it cannot be opened. */
static FILE *opened(const char *folder, const char *array, const char *mode, char *path) {
  snprintf(path, 4096, "%s/%s.bin", folder, array);
  FILE *file = fopen(path, mode);
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  return file;
}

static void load(const char *folder, const char *array, void *to, size_t bytes) {
  char path[4096];
  FILE *file = opened(folder, array, "rb", path);
  if (fread(to, 1, bytes, file) != bytes || fgetc(file) != EOF) {
    fprintf(stderr, "%s: '%s' takes %lu bytes\n", path, array, (unsigned long)bytes);
    exit(1);
  }
  fclose(file);
}

static void save(const char *folder, const char *array, const void *from, size_t bytes) {
  char path[4096];
  FILE *file = opened(folder, array, "wb", path);
  if (fwrite(from, 1, bytes, file) != bytes || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

/* Zeros that begin with a transaction of main memory. */
static void *memory(size_t bytes) {
  char *const block = calloc(bytes + 128, 1);
  if (block == NULL) {
    fprintf(stderr, "there is no memory for %lu bytes\n", (unsigned long)bytes);
    exit(1);
  }
  return block + (128 - (uintptr_t)block % 128);
}

)";
  out += "int main(int argc, char **argv) {\n";
  out += "  if (argc != 2) {\n    fprintf(stderr, \"usage: " + name +
         " FOLDER\\n\");\n    return 2;\n  }\n";
  for (std::size_t k = 0; k < network.params.size(); ++k) {
    const std::string type = style.type(network.params[k].buffer->type);
    out += "  " + type + " *const " + names.of(k) + " = memory(" +
           std::to_string(network.params[k].buffer->size_bytes()) + ");\n";
  }
  const auto each = [&](const std::string& call, const auto& is_meant) {
    for (std::size_t k = 0; k < network.params.size(); ++k) {
      const ir::Param& param = network.params[k];
      if (!is_meant(k)) continue;
      out += "  " + call + "(argv[1], \"" + param.buffer->name + "\", " + names.of(k) + ", " +
             std::to_string(param.buffer->size_bytes()) + ");\n";
    }
  };
  each("load", [&](std::size_t k) { return network.brought[k]; });
  out += std::string("  const int ") + kStatus + " = " + name + "(";
  for (std::size_t k = 0; k < network.params.size(); ++k) {
    out += (k == 0 ? "" : ", ") + names.of(k);
  }
  out += std::string(");\n  if (") + kStatus + " != 0) {\n    fprintf(stderr, \"" + name +
         " returned %d\\n\", " + kStatus + ");\n    return 1;\n  }\n";
  each("save", [&](std::size_t k) { return network.params[k].role != ir::Role::In; });
  return out + "  return 0;\n}\n";
}

}  // namespace solway::codegen
