#include "codegen/athread/detail/dialect.h"

#include "codegen/athread/detail/c_text.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

/// Both machines have the athread interface; `is_pro`: as SW26010-Pro has it.
class SunwayDialect final : public Dialect {
 public:
  explicit SunwayDialect(bool is_pro) : is_pro_(is_pro) {}

  std::string language() const override { return "athread C"; }
  std::string core() const override { return "CPE"; }
  std::string manager() const override { return "MPE"; }
  std::string near() const override { return "LDM"; }
  std::string transfers() const override { return "athread_get and athread_put"; }
  std::string machine() const override { return "a core group of SW26010 has 64"; }

  std::string core_suffix() const override { return "_cpe"; }
  std::string core_header() const override { return "slave.h"; }
  std::string manager_header() const override { return "athread.h"; }
  std::string shared_lines() const override { return ""; }

  std::string makefile(const FileNames& files) const override {
    const std::string& name = files.kernel;
    const std::string compiler = is_pro_ ? "swgcc" : "sw5cc";
    const std::string variable = is_pro_ ? "SWGCC" : "SW5CC";
    const std::string archiver = is_pro_ ? "swar" : "sw5ar";
    const std::string minus = is_pro_ ? "-m" : "-";
    CText out;
    out.line("# lib" + name + ".a for " + (is_pro_ ? "SW26010-Pro" : "SW26010") + ". Link: " +
             compiler + " " + minus + "hybrid main.o lib" + name + ".a -lm_slave -o main");
    out.line(variable + " = " + compiler);
    out.line((is_pro_ ? "SWAR = " : "SW5AR = ") + archiver);
    out.line("CFLAGS = -O2 -std=gnu99");
    out.line("");
    const std::string kernels = files.has_kernels ? " " + name + "_kernels.o" : "";
    out.line("lib" + name + ".a: " + name + ".o " + name + "_cpe.o" + kernels);
    out.line(std::string("\t$(") + (is_pro_ ? "SWAR" : "SW5AR") + ") cr $@ $^");
    out.line("");
    out.line(name + ".o: " + files.manager() + " " + files.header());
    out.line("\t$(" + variable + ") " + minus + "host $(CFLAGS) -c $< -o $@");
    out.line("");
    out.line(name + "_cpe.o: " + files.core() + " " + files.header());
    out.line("\t$(" + variable + ") " + minus + "slave -msimd $(CFLAGS) -c $< -o $@");
    out.line("");
    if (files.has_kernels) {
      out.line(name + "_kernels.o: " + files.kernels());
      out.line("\t$(" + variable + ") " + minus + "slave -msimd -c $< -o $@");
      out.line("");
    }
    out.line("clean:");
    out.line("\trm -f lib" + name + ".a " + name + ".o " + name + "_cpe.o" + kernels);
    out.line("");
    out.line(".PHONY: clean");
    return out.take();
  }

  std::string makefile(const std::string& network, const std::vector<FileNames>& layers,
                       const std::string& memory) const override {
    const std::string compiler = is_pro_ ? "swgcc" : "sw5cc";
    const std::string variable = is_pro_ ? "SWGCC" : "SW5CC";
    const std::string archiver = is_pro_ ? "SWAR" : "SW5AR";
    const std::string minus = is_pro_ ? "-m" : "-";
    const std::string host = "\t$(" + variable + ") " + minus + "host $(CFLAGS) -c $< -o $@";
    const std::string slave = "\t$(" + variable + ") " + minus + "slave -msimd ";
    CText out;
    out.line("# " + network + ", a program for " + (is_pro_ ? "SW26010-Pro" : "SW26010") +
             " that reads and writes files, and lib" + network + ".a");
    out.line(variable + " = " + compiler);
    out.line(archiver + (is_pro_ ? " = swar" : " = sw5ar"));
    out.line("CFLAGS = -O2 -std=gnu99");
    out.line("");
    CText rules;
    std::string objects = network + ".o";
    std::string headers = network + ".h";
    for (const FileNames& files : layers) {
      objects += " " + files.kernel + ".o " + files.core_function() + ".o";
      headers += " " + files.header();
      rules.line(files.kernel + ".o: " + files.manager() + " " + files.header());
      rules.line(host);
      rules.line("");
      rules.line(files.core_function() + ".o: " + files.core() + " " + files.header());
      rules.line(slave + "$(CFLAGS) -c $< -o $@");
      rules.line("");
      if (!files.has_kernels) continue;
      objects += " " + files.kernel + "_kernels.o";
      rules.line(files.kernel + "_kernels.o: " + files.kernels());
      rules.line(slave + "-c $< -o $@");
      rules.line("");
    }
    if (!memory.empty()) {
      const std::string object = memory.substr(0, memory.size() - 2) + ".o";
      objects += " " + object;
      rules.line(object + ": " + memory);
      rules.line(slave + "$(CFLAGS) -c $< -o $@");
      rules.line("");
    }
    out.line(network + ": " + network + "_main.o lib" + network + ".a");
    out.line("\t$(" + variable + ") " + minus + "hybrid $^ -lm_slave -o $@");
    out.line("");
    out.line("lib" + network + ".a: " + objects);
    out.line("\t$(" + archiver + ") cr $@ $^");
    out.line("");
    for (const std::string& name : {network, network + "_main"}) {
      out.line(name + ".o: " + name + ".c " + (name == network ? headers : network + ".h"));
      out.line(host);
      out.line("");
    }
    const std::string objects_and_more = objects + " " + network + "_main.o";
    rules.line("clean:");
    rules.line("\trm -f " + network + " lib" + network + ".a " + objects_and_more);
    rules.line("");
    rules.line(".PHONY: clean");
    return out.take() + rules.take();
  }

  std::string aligned(const std::string& qualifiers, const std::string& declarator,
                      int alignment_bytes) const override {
    return qualifiers + " " + declarator + " __attribute__((aligned(" +
           std::to_string(alignment_bytes) + ")))";
  }
  std::string near_storage() const override { return "__thread_local"; }
  std::string shared_storage() const override {
    throw InternalError(
        {{}, "a buffer that all cores see on a machine without such a memory", "", ""});
  }
  std::string counter_type() const override { return "volatile int"; }
  std::string declare_start(const std::string& function) const override {
    return "extern void SLAVE_FUN(" + function + ")(void *);";
  }

  std::vector<std::string> initialise() const override { return {"athread_init();"}; }
  std::vector<std::string> start_and_return(const std::string& function, const std::string& args,
                                            int /*cores*/) const override {
    return {"if (athread_spawn(" + function + ", &" + args + ") != 0) return 1;",
            "return athread_join();"};
  }
  std::string core_number() const override { return "athread_get_id(-1)"; }
  CorePaths paths() const override { return is_pro_ ? CorePaths::Copies : CorePaths::Registers; }
  std::string meet() const override {
    return is_pro_ ? "athread_ssync_array();" : "athread_syn(ARRAY_SCOPE, 0xffff);";
  }
  std::string wait(const std::string& counter, const std::string& expected) const override {
    return "while (" + counter + " != " + expected + ");";
  }
  std::pair<std::string, std::string> transfer(const TransferCall& call) const override {
    const bool is_get = call.direction == TransferCall::Direction::Get;
    const bool is_of_array = call.main.starts_with('&') || call.main.starts_with('(');
    const std::string main = (is_of_array ? "(void *)" : "") + call.main;  // of const elements too
    const std::string& near = call.near;
    const std::string head = std::string(is_get ? "athread_get" : "athread_put") + "(PE_MODE, " +
                             (is_get ? main + ", " + near : near + ", " + main) + ",";
    return {head, call.bytes + ", (void *)" + call.counter + ", " + (is_get ? "0, " : "") +
                      call.gap_bytes + ", " + call.block_bytes + ");"};
  }

 private:
  bool is_pro_;
};

/// Any machine with the ten functions of scratchpad.h.
class GenericDialect final : public Dialect {
 public:
  std::string language() const override { return "generic C"; }
  std::string core() const override { return "core"; }
  std::string manager() const override { return "managing side"; }
  std::string near() const override { return "scratchpad"; }
  std::string transfers() const override { return "scratchpad_get and scratchpad_put"; }
  std::string machine() const override { return "the generic interface starts 1 to 64"; }

  std::string core_suffix() const override { return "_core"; }
  std::string core_header() const override { return "scratchpad.h"; }
  std::string manager_header() const override { return "scratchpad.h"; }
  std::string shared_lines() const override {
    return "#include <scratchpad.h>\n"
           "\n"
           "/* int64 is written as long: no program has this array where that is too short. */\n"
           "extern char solway_long_has_64_bits[sizeof(long) == 8 ? 1 : -1];\n";
  }

  std::string makefile(const FileNames& files) const override {
    const std::string& name = files.kernel;
    CText out;
    out.line("# lib" + name + ".a. SCRATCHPAD: the folder of the machine's scratchpad.h.");
    out.line("# Link: $(CC) main.o lib" + name + ".a, what implements scratchpad.h, -lm");
    out.line("SCRATCHPAD = .");
    out.line("CFLAGS = -O2 -std=c99");
    out.line("");
    out.line("lib" + name + ".a: " + name + ".o " + files.core_function() + ".o");
    out.line("\t$(AR) cr $@ $^");
    out.line("");
    for (const std::string& source : {files.manager(), files.core()}) {
      const std::string object = source.substr(0, source.size() - 2) + ".o";
      out.line(object + ": " + source + " " + files.header());
      out.line("\t$(CC) $(CFLAGS) -I$(SCRATCHPAD) -c $< -o $@");
      out.line("");
    }
    out.line("clean:");
    out.line("\trm -f lib" + name + ".a " + name + ".o " + files.core_function() + ".o");
    out.line("");
    out.line(".PHONY: clean");
    return out.take();
  }

  std::string makefile(const std::string& network, const std::vector<FileNames>& layers,
                       const std::string& memory) const override {
    CText out;
    out.line("# lib" + network + ".a. SCRATCHPAD: the folder of the machine's scratchpad.h. A");
    out.line("# program that reads and writes files: $(CC) " + network + "_main.o lib" + network +
             ".a, what implements scratchpad.h, -lm");
    out.line("SCRATCHPAD = .");
    out.line("CFLAGS = -O2 -std=c99");
    out.line("");
    std::vector<std::pair<std::string, std::string>> sources{{network + ".c", network + ".h"},
                                                             {network + "_main.c", network + ".h"}};
    for (const FileNames& files : layers) {
      sources.front().second += " " + files.header();
      sources.emplace_back(files.manager(), files.header());
      sources.emplace_back(files.core(), files.header());
    }
    if (!memory.empty()) sources.emplace_back(memory, "");
    CText rules;
    std::string objects;
    for (const auto& [source, headers] : sources) {
      const std::string object = source.substr(0, source.size() - 2) + ".o";
      if (object != network + "_main.o") objects += (objects.empty() ? "" : " ") + object;
      rules.line(object + ": " + source + (headers.empty() ? "" : " ") + headers);
      rules.line("\t$(CC) $(CFLAGS) -I$(SCRATCHPAD) -c $< -o $@");
      rules.line("");
    }
    out.line("all: lib" + network + ".a " + network + "_main.o");
    out.line("");
    out.line("lib" + network + ".a: " + objects);
    out.line("\t$(AR) cr $@ $^");
    out.line("");
    rules.line("clean:");
    rules.line("\trm -f lib" + network + ".a " + network + "_main.o " + objects);
    rules.line("");
    rules.line(".PHONY: all clean");
    return out.take() + rules.take();
  }

  std::string aligned(const std::string& qualifiers, const std::string& declarator,
                      int alignment_bytes) const override {
    const std::string alignment = "SCRATCHPAD_ALIGNED(" + std::to_string(alignment_bytes) + ") ";
    // Storage classes come first.
    const std::string storage = "static ";
    const bool is_static = qualifiers.starts_with(storage);
    return (is_static ? storage : "") + alignment +
           qualifiers.substr(is_static ? storage.size() : 0) + " " + declarator;
  }
  std::string near_storage() const override { return "SCRATCHPAD"; }
  std::string shared_storage() const override { return "SCRATCHPAD_SHARED"; }
  std::string counter_type() const override { return "scratchpad_counter"; }
  std::string declare_start(const std::string& function) const override {
    return "void " + function + "(void *);";
  }

  std::vector<std::string> initialise() const override { return {}; }
  std::vector<std::string> start_and_return(const std::string& function, const std::string& args,
                                            int cores) const override {
    return {"if (scratchpad_start(" + function + ", &" + args + ", " + std::to_string(cores) +
                ") != 0) return 1;",
            "return scratchpad_finish();"};
  }
  std::string core_number() const override { return "scratchpad_core()"; }
  CorePaths paths() const override { return CorePaths::None; }
  std::string meet() const override { return "scratchpad_meet();"; }
  std::string wait(const std::string& counter, const std::string& expected) const override {
    return "scratchpad_wait(&" + counter + ", " + expected + ");";
  }
  std::pair<std::string, std::string> transfer(const TransferCall& call) const override {
    const bool is_get = call.direction == TransferCall::Direction::Get;
    const bool is_one = call.block_bytes == "0";
    const bool has_planes = !call.plane_pitch_bytes.empty();
    const std::string form = has_planes ? "_planes" : "_blocks";
    const std::string name =
        std::string(is_get ? "scratchpad_get" : "scratchpad_put") + (is_one ? "" : form);
    std::string size =
        is_one ? call.bytes : call.block_bytes + ", " + call.blocks + ", " + call.pitch_bytes;
    if (has_planes) size += ", " + call.planes + ", " + call.plane_pitch_bytes;
    return {
        name + "(" + (is_get ? call.near + ", " + call.main : call.main + ", " + call.near) + ",",
        size + ", " + call.counter + ");"};
  }
};

}  // namespace

const Dialect& Dialect::of(const std::string& machine) {
  static const SunwayDialect kSw26010(false);
  static const SunwayDialect kSw26010Pro(true);
  static const GenericDialect kGeneric;
  if (machine == "sw26010") return kSw26010;
  if (machine == "sw26010pro") return kSw26010Pro;
  if (machine == "generic") return kGeneric;
  throw InternalError({{}, "no dialect is known for the machine '" + machine + "'", "", ""});
}

}  // namespace solway::codegen
