#include "codegen/c/makefile.h"

namespace solway::codegen {

std::string nec_tools() {
  // CC is always set: `make` has a default of its own.
  return "ifneq ($(filter default undefined,$(origin CC)),)\n"
         "CC = ncc\n"
         "endif\n"
         "AR = $(if $(filter ncc,$(notdir $(CC))),nar,ar)\n"
         // Expressions call small static functions, which would keep a loop from being vectorized.
         "CFLAGS = -O3 -finline-functions -std=c99\n";
}

std::string nec_makefile(const std::string& kernel) {
  const std::string library = "lib" + kernel + ".a", object = kernel + ".o";
  return "# " + library + ", by NEC's compiler for SX-Aurora; make CC=cc for this machine.\n" +
         nec_tools() + "\n" + library + ": " + object + "\n\t$(AR) cr $@ $^\n\n" + object + ": " +
         kernel + ".c\n\nclean:\n\trm -f " + library + " " + object + "\n\n.PHONY: clean\n";
}

}  // namespace solway::codegen
