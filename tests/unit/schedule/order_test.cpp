#include "schedule/order.h"

#include <gtest/gtest.h>

#include "support/error.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/random_orders.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// "0(S, 1(T))": loops with their children, statements by name.
std::string shape(const TreeNode& node) {
  if (!node.statement.empty()) return node.statement;
  std::string out;
  for (const TreeNode& child : node.children) out += (out.empty() ? "" : ", ") + shape(child);
  return node.loop < 0 ? out : std::to_string(node.loop) + "(" + out + ")";
}

std::string shape_of(std::vector<Placement> placements) {
  Order order;
  order.placements = std::move(placements);
  return shape(tree_of(order));
}

TEST(TreeOf, NeighboursShareTheirCommonPrefix) {
  EXPECT_EQ(shape_of({{"S", {0}}, {"T", {0, 1}}}), "0(S, 1(T))");
  EXPECT_EQ(shape_of({{"S", {0, 1}}, {"T", {0, 2}}, {"U", {0, 2}}}), "0(1(S), 2(T, U))");
  EXPECT_EQ(shape_of({{"S", {}}, {"T", {0}}}), "S, 0(T)");
  EXPECT_EQ(shape_of({}), "");
}

TEST(TreeOf, ALoopStandsTwiceWhenSomethingIsBetween) {
  EXPECT_EQ(shape_of({{"S", {0}}, {"T", {}}, {"U", {0}}}), "0(S), T, 0(U)");
  EXPECT_EQ(shape_of({{"S", {1}}, {"T", {0, 1}}}), "1(S), 0(1(T))");
}

TEST(OrderAdd, GivesNewIds) {
  Order order;
  Loop loop;
  loop.name = "i";
  EXPECT_EQ(order.add(loop), 0);
  loop.name = "j";
  EXPECT_EQ(order.add(loop), 1);
  EXPECT_EQ(order.loop(1).name, "j");
}

TEST(PlacementOf, FindsAStatement) {
  Order order;
  order.placements = {{"S", {0}}, {"T", {0, 1}}};
  EXPECT_EQ(order.placement_of("T").path, (std::vector<LoopId>{0, 1}));
  EXPECT_THROW(order.placement_of("U"), InternalError);
}

/// The tuples of { S[iteration] -> [time] } by statement and iteration.
std::map<std::pair<std::string, Point>, Point> enumerate(const isl::union_map& time,
                                                         const PlainProgram& program) {
  std::map<std::pair<std::string, Point>, Point> out;
  time.foreach_map([&](const isl::map& map) {
    const std::string name = isl_ext::tuple_name(map, isl_ext::Dim::Domain);
    const auto s = std::find_if(program.statements.begin(), program.statements.end(),
                                [&](const PlainStatement& x) { return x.name == name; });
    const auto dims = static_cast<std::ptrdiff_t>(s->bounds.size());
    map.wrap().foreach_point([&](const isl::point& point) {
      const Point all = isl_ext::coordinates(point);
      const bool added = out.emplace(std::pair(name, Point(all.begin(), all.begin() + dims)),
                                     Point(all.begin() + dims, all.end()))
                             .second;
      EXPECT_TRUE(added) << name << " has two times";
    });
  });
  return out;
}

TEST(TimeOf, OrdersInstancesAsAWalkOfTheTreeDoes) {
  Generator generator(7);
  for (int k = 0; k < 500 && !::testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(k);
    const PlainProgram plain = generator.program();
    const PlainOrder plain_order = generator.order(plain);
    const Program program = make_program(plain);
    const Order order = make_order(program.ctx(), plain, plain_order);
    const auto times = enumerate(time_of(program.ctx(), order, program.domains()), plain);
    const std::vector<PlainInstance> instances = instances_of(plain);
    const Walk walk = Walker(plain_order, instances).run(tree_of(order));
    ASSERT_EQ(times.size(), instances.size());
    const auto time = [&](std::size_t at) -> const Point& {
      return times.at({instances[at].statement->name, instances[at].iteration});
    };
    for (std::size_t a = 0; a < instances.size(); ++a) {
      for (std::size_t b = 0; b < instances.size(); ++b) {
        EXPECT_EQ(time(a) < time(b), walk.slot[a] < walk.slot[b]);
      }
    }
  }
}

TEST(PrefixOf, EndsAtTheLoop) {
  const IslContext isl;
  PlainProgram plain;
  plain.statements.push_back({"S", StatementKind::Compute, {{0, 2}}, {"A", {}}, {}, false});
  plain.statements.push_back({"T", StatementKind::Compute, {{0, 2}, {0, 3}}, {"B", {}}, {}, false});
  plain.reference.loops.resize(2);
  plain.reference.loops[0].value = {{"S", Generator::axis(1, 0)}, {"T", Generator::axis(2, 0)}};
  plain.reference.loops[1].value = {{"T", Generator::axis(2, 1)}};
  plain.reference.placements = {{"S", {0}}, {"T", {0, 1}}};
  const Order order = make_order(isl.get(), plain, plain.reference);
  const std::map<std::string, isl::set> domains{{"S", domain_of(isl.get(), plain.statements[0])},
                                                {"T", domain_of(isl.get(), plain.statements[1])}};
  const auto expect = [&](LoopId id, LastValue last, const std::string& text) {
    const isl::union_map prefix = prefix_of(isl.get(), order, id, last, domains);
    EXPECT_TRUE(prefix.is_equal(isl::union_map(isl.get(), text))) << isl_ext::to_string(prefix);
  };
  expect(0, LastValue::Keep,
         "{ S[i] -> [0, i] : 0 <= i < 2; T[i, j] -> [0, i] : 0 <= i < 2 and 0 <= j < 3 }");
  expect(0, LastValue::Drop,
         "{ S[i] -> [0] : 0 <= i < 2; T[i, j] -> [0] : 0 <= i < 2 and 0 <= j < 3 }");
  expect(1, LastValue::Keep, "{ T[i, j] -> [0, i, 1, j] : 0 <= i < 2 and 0 <= j < 3 }");
  expect(1, LastValue::Drop, "{ T[i, j] -> [0, i, 1] : 0 <= i < 2 and 0 <= j < 3 }");
}

}  // namespace
}  // namespace solway::schedule
