/* A plugin of QEMU that counts the instructions of an emulated program by function.
 *
 *   cc -O2 -shared -fPIC -o counter.so instruction_counter.c
 *   qemu-aarch64 -plugin ./counter.so,out=FILE PROGRAM
 *
 * FILE has a line per instruction that ran: function, address, how often, mnemonic and operands.
 * QEMU's own declarations are not installed with it; these are the ones of its interface that are
 * used here (version 1, docs/devel/tcg-plugins of QEMU). */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t PluginId;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

extern void qemu_plugin_register_vcpu_tb_trans_cb(PluginId, void (*)(PluginId, struct qemu_plugin_tb*));
extern void qemu_plugin_register_atexit_cb(PluginId, void (*)(PluginId, void*), void*);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn*, int, void*, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
extern struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);
extern const char* qemu_plugin_insn_symbol(const struct qemu_plugin_insn*);
extern char* qemu_plugin_insn_disas(const struct qemu_plugin_insn*);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { kAddTo = 0, kBuckets = 1 << 16 }; /* QEMU_PLUGIN_INLINE_ADD_U64 */

typedef struct Count {
  uint64_t address, times;
  char* function;
  char* text;
  struct Count* next;
} Count;

static Count* counts[kBuckets];
static const char* output;

/* One instruction may be translated several times, as a part of several blocks. */
static Count* count_of(const struct qemu_plugin_insn* instruction) {
  const uint64_t address = qemu_plugin_insn_vaddr(instruction);
  Count** const bucket = &counts[(address >> 1) % kBuckets];
  for (Count* found = *bucket; found != NULL; found = found->next) {
    if (found->address == address) return found;
  }
  const char* const symbol = qemu_plugin_insn_symbol(instruction);
  Count* const made = calloc(1, sizeof *made);
  made->address = address;
  made->function = strdup(symbol != NULL && symbol[0] != 0 ? symbol : "?");
  made->text = qemu_plugin_insn_disas(instruction);
  made->next = *bucket;
  *bucket = made;
  return made;
}

static void on_translation(PluginId id, struct qemu_plugin_tb* block) {
  (void)id;
  const size_t n = qemu_plugin_tb_n_insns(block);
  for (size_t k = 0; k < n; ++k) {
    struct qemu_plugin_insn* const instruction = qemu_plugin_tb_get_insn(block, k);
    Count* const count = count_of(instruction);
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, kAddTo, &count->times, 1);
  }
}

static void at_exit(PluginId id, void* data) {
  (void)id;
  (void)data;
  FILE* const file = fopen(output, "w");
  if (file == NULL) return;
  for (size_t b = 0; b < kBuckets; ++b) {
    for (const Count* c = counts[b]; c != NULL; c = c->next) {
      fprintf(file, "%s\t%" PRIx64 "\t%" PRIu64 "\t%s\n", c->function, c->address, c->times, c->text);
    }
  }
  fclose(file);
}

__attribute__((visibility("default"))) int qemu_plugin_install(PluginId id, const void* about, int argc,
                                                               char** argv) {
  (void)about;
  for (int k = 0; k < argc; ++k) {
    if (strncmp(argv[k], "out=", 4) == 0) output = argv[k] + 4;
  }
  if (output == NULL) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  qemu_plugin_register_atexit_cb(id, at_exit, NULL);
  return 0;
}
