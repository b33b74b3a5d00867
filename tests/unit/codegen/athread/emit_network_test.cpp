#include "codegen/athread/emit_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Copies 64 floats through 64 bytes of the LDM, in four tiles.
ir::Kernel copy_kernel(const std::string& name, const std::string& from, const std::string& to) {
  return ir::parse_kernel("kernel " + name + "(in " + from + ": float32[64], out " + to +
                          ": float32[64]) { for i in [0, 4) parallel { allocate N: float32[16] in "
                          "ldm { issue N get " +
                          from + "[(i * 16)] -> N[0] (16, 1, 1) wait N issue M put N[0] -> " + to +
                          "[(i * 16)] (16, 1, 1) wait M } } }");
}

AthreadNetwork made(const std::string& machine) {
  AthreadOptions options;
  options.machine = machine;
  options.network = "net";
  options.near_offsets = {{"N", 32}};
  const std::vector<AthreadLayer> layers{{copy_kernel("net_h", "x", "h"), options},
                                         {copy_kernel("net_y", "h", "y"), options}};
  Network network;
  network.name = "net";
  network.params = {layers[0].kernel.params[0], layers[1].kernel.params[1]};
  network.brought = {true, false};
  network.area_bytes = 256;
  network.layers = {{"net_h", layers[0].kernel.params, {{true, 0, 0}, {false, 0, 0}}},
                    {"net_y", layers[1].kernel.params, {{false, 0, 0}, {true, 1, 0}}}};
  return emit_athread_network(network, layers);
}

TEST(EmitNetwork, LayersUseOneBlockOfTheLdm) {
  const AthreadNetwork network = made("sw26010");
  EXPECT_THAT(network.files.at("net_ldm.c"), HasSubstr("__thread_local char net_ldm[96]"));
  for (const char* const layer : {"net_h_cpe.c", "net_y_cpe.c"}) {
    EXPECT_THAT(network.files.at(layer), HasSubstr("extern __thread_local char net_ldm[];"));
    EXPECT_THAT(network.files.at(layer), HasSubstr("(net_ldm + 32)"));
  }
  EXPECT_GT(network.near_bytes, 96);
  EXPECT_LT(network.near_bytes, 96 + 256);
}

TEST(EmitNetwork, TheEntryStartsTheMachineOnce) {
  const AthreadNetwork network = made("sw26010");
  EXPECT_THAT(network.files.at("net.c"), HasSubstr("  athread_init();\n"));
  EXPECT_THAT(network.files.at("net_h.c"), Not(HasSubstr("athread_init")));
  EXPECT_THAT(network.files.at("net.c"), HasSubstr("static char area[256]"));
  EXPECT_THAT(network.files.at("net.c"), HasSubstr("status = net_y((float *)area, y);"));
}

TEST(EmitNetwork, ListsItsFiles) {
  const AthreadNetwork network = made("sw26010");
  EXPECT_THAT(network.files.at("kernel.toml"),
              HasSubstr("mpe = [\"net.c\", \"net_h.c\", \"net_y.c\"]\n"
                        "cpe = [\"net_h_cpe.c\", \"net_y_cpe.c\", \"net_ldm.c\"]"));
  const std::string& makefile = network.files.at("Makefile");
  EXPECT_THAT(makefile, HasSubstr("libnet.a: net.o net_h.o net_h_cpe.o net_y.o net_y_cpe.o "
                                  "net_ldm.o\n"));
  EXPECT_THAT(makefile, HasSubstr("-hybrid $^ -lm_slave -o $@"));
  EXPECT_EQ(network.remarks.size(), 2U);
}

TEST(EmitNetwork, OtherMachinesHaveTheirOwnWords) {
  EXPECT_THAT(made("sw26010pro").files.at("Makefile"), HasSubstr("-mhybrid"));
  const AthreadNetwork generic = made("generic");
  EXPECT_THAT(generic.files.at("net_ldm.c"), HasSubstr("SCRATCHPAD char net_ldm[96]"));
  EXPECT_THAT(generic.files.at("net.c"), HasSubstr("static SCRATCHPAD_ALIGNED("));
  EXPECT_THAT(generic.files.at("Makefile"), HasSubstr("-I$(SCRATCHPAD)"));
}

}  // namespace
}  // namespace solway::codegen
