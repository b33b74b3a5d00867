#include "codegen/c/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/c/helpers.h"
#include "codegen/c/names.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

NetworkStyle plain() {
  NetworkStyle style;
  style.result = "int32_t";
  style.type = c99::c_type;
  style.is_reserved = c99::is_reserved_in_c;
  return style;
}

/// net: first computes h from x, second y from h and a temporary.
Network two_layers() {
  const ir::Buffer x = ir::make_buffer("x", DType::Float32, {4});
  const ir::Buffer h = ir::make_buffer("h", DType::Float64, {4});
  const ir::Buffer t = ir::make_buffer("t", DType::Int32, {2});
  const ir::Buffer y = ir::make_buffer("int", DType::Float32, {2, 2});
  Network out;
  out.name = "net";
  out.params = {{x, ir::Role::In}, {y, ir::Role::Out}};
  out.brought = {true, false};
  out.area_bytes = 136;
  out.layers.push_back(
      {"net_h", {{x, ir::Role::In}, {h, ir::Role::Out}}, {{true, 0, 0}, {false, 0, 0}}});
  out.layers.push_back({"net_y",
                        {{h, ir::Role::In}, {y, ir::Role::Out}, {t, ir::Role::InOut}},
                        {{false, 0, 0}, {true, 1, 0}, {false, 0, 128}}});
  return out;
}

TEST(Network, EntryCallsTheLayersInOrder) {
  const std::string text = network_entry(two_layers(), plain());
  EXPECT_THAT(text, HasSubstr("int32_t net(const float *x, float *int_) {"));
  EXPECT_THAT(text, HasSubstr("  status = net_h(x, (double *)area);\n"
                              "  if (status != 0) goto end;\n"
                              "  status = net_y((double *)area, int_, (int32_t *)(area + 128));\n"
                              "end:\n"
                              "  free(block);\n"
                              "  return status;\n"));
  EXPECT_THAT(text, HasSubstr("malloc((size_t)136 + 64)"));
}

TEST(Network, AnAreaOfTheMachineNeedsNoMalloc) {
  NetworkStyle style = plain();
  style.area = [](const std::string& declarator) { return "static char " + declarator; };
  style.start = {"begin();"};
  const std::string text = network_entry(two_layers(), style);
  EXPECT_THAT(text, HasSubstr("static char area[136];"));
  EXPECT_THAT(text, HasSubstr("  begin();\n  int32_t status = 0;"));
  EXPECT_THAT(text, HasSubstr("  if (status != 0) return status;\n"));
  EXPECT_THAT(text, Not(HasSubstr("malloc")));
}

TEST(Network, HeaderSaysWhatTheArraysAre) {
  const std::string text = network_header(two_layers(), plain());
  EXPECT_THAT(text, HasSubstr("x: float[4], read\n"));
  EXPECT_THAT(text, HasSubstr("int_: float[2][2], written\n"));
  EXPECT_THAT(text, HasSubstr("int32_t net(const float *x, float *int_);"));
}

TEST(Network, ProgramLoadsWhatIsBroughtAndSavesWhatIsWritten) {
  Network network = two_layers();
  network.params[1].role = ir::Role::InOut;  // some elements keep what they held: zeros
  const std::string text = network_main(network, plain());
  EXPECT_THAT(text, HasSubstr("load(argv[1], \"x\", x, 16);"));
  EXPECT_THAT(text, Not(HasSubstr("load(argv[1], \"int\"")));
  EXPECT_THAT(text, HasSubstr("save(argv[1], \"int\", int_, 16);"));
  EXPECT_THAT(text, Not(HasSubstr("save(argv[1], \"x\"")));
}

TEST(Network, WithoutTemporariesThereIsNoArea) {
  Network network = two_layers();
  network.layers.resize(1);
  network.layers[0].operands[1] = {true, 1, 0};
  network.area_bytes = 0;
  const std::string text = network_entry(network, plain());
  EXPECT_THAT(text, Not(HasSubstr("area")));
  EXPECT_THAT(text, HasSubstr("  status = net_h(x, int_);\n  return status;\n"));
}

}  // namespace
}  // namespace solway::codegen
