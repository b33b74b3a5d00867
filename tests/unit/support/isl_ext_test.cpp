#include "support/isl_ext.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"
#include "support/isl_context.h"

namespace solway::isl_ext {
namespace {

using testing::ElementsAre;

class IslExt : public testing::Test {
 protected:
  isl::set set(const std::string& text) const { return isl::set(isl_.get(), text); }
  isl::map map(const std::string& text) const { return isl::map(isl_.get(), text); }
  isl::union_map umap(const std::string& text) const { return isl::union_map(isl_.get(), text); }
  isl::ctx ctx() const { return isl_.get(); }

 private:
  IslContext isl_;
};

TEST_F(IslExt, ValuesBecomeIntegers) {
  EXPECT_EQ(to_int64(isl::val(ctx(), "-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(try_int64(isl::val(ctx(), "9223372036854775807")), INT64_MAX);
  EXPECT_EQ(try_int64(isl::val(ctx(), "9223372036854775808")), std::nullopt);
  EXPECT_EQ(try_int64(isl::val(ctx(), "1/2")), std::nullopt);
  EXPECT_THROW(to_int64(isl::val(ctx(), "infty")), InternalError);
}

TEST_F(IslExt, PointsAndBounds) {
  const isl::set box = set("{ S[i, j] : 2 <= i < 5 and -1 <= j < 1 }");
  EXPECT_EQ(*try_lexmin(box), (std::vector<std::int64_t>{2, -1}));
  EXPECT_TRUE(try_sample(box).has_value());
  EXPECT_EQ(try_sample(set("{ S[i] : 1 = 0 }")), std::nullopt);
  EXPECT_EQ(try_lexmin(set("{ S[i] : 1 = 0 }")), std::nullopt);
  EXPECT_EQ(try_count(box), 6);
  EXPECT_EQ(try_count(set("{ S[i] : i > 0 }")), std::nullopt);
  const isl::set thirds = set("{ S[i] : 5000000000 <= i < 5000000010 and i mod 3 = 0 }");
  EXPECT_EQ(count_up_to(thirds, 8), 3);
  EXPECT_EQ(count_up_to(thirds, 2), 2);
  EXPECT_EQ(count_up_to(set("{ S[i] : i > 0 }"), 4), 4);
  EXPECT_EQ(count_up_to(set("{ S[i] : 1 = 0 }"), 4), 0);
  EXPECT_EQ(try_dim_min(box, 0), 2);
  EXPECT_EQ(try_dim_max(box, 1), 0);
  EXPECT_EQ(try_dim_max(set("{ S[i] : i > 0 }"), 0), std::nullopt);
  EXPECT_EQ(try_dim_min(set("{ S[i] : 1 = 0 }"), 0), std::nullopt);
  EXPECT_EQ(try_dim_max(set("[n] -> { S[i] : 0 <= i < n <= 7 }"), 0), 6);
}

TEST_F(IslExt, TupleNames) {
  const isl::map named = map("{ S[i] -> A[i, i] }");
  EXPECT_EQ(tuple_name(named, Dim::Domain), "S");
  EXPECT_EQ(tuple_name(named, Dim::Range), "A");
  EXPECT_EQ(tuple_name(set("{ [i] }")), "");
  EXPECT_EQ(tuple_name(map("{ [S[i] -> T[j]] -> [i] }"), Dim::Domain), "");
  EXPECT_TRUE(with_tuple_name(named, Dim::Range, "B").is_equal(map("{ S[i] -> B[i, i] }")));
  EXPECT_TRUE(with_tuple_name(named, Dim::Domain, "").is_equal(map("{ [i] -> A[i, i] }")));
  EXPECT_TRUE(with_tuple_name(set("{ [i] }"), "S").is_equal(set("{ S[i] }")));
  EXPECT_TRUE(with_tuple_name(set("{ S[i] }"), "").is_equal(set("{ [i] }")));
}

TEST_F(IslExt, DimensionNames) {
  const isl::set named = with_dim_names(set("{ S[i, j] : i < j }"), {"x", "y"});
  EXPECT_EQ(dim_name(named, 0), "x");
  EXPECT_EQ(to_string(named), "{ S[x, y] : y > x }");
  const isl::map relation = with_dim_names(map("{ S[i] -> A[j] }"), Dim::Range, {"e"});
  EXPECT_EQ(dim_name(relation, Dim::Range, 0), "e");
  EXPECT_EQ(dim_name(relation, Dim::Domain, 0), "i");
}

TEST_F(IslExt, DimensionsComeAndGo) {
  const isl::set pairs = set("{ S[i, j] : 0 <= i < j < 4 }");
  EXPECT_EQ(dim_count(pairs, Dim::Range), 2);
  EXPECT_EQ(dim_count(set("[n] -> { S[i] }"), Dim::Param), 1);
  EXPECT_TRUE(
      insert_dims(set("{ [i] : 0 <= i < 2 }"), 0, 1).is_equal(set("{ [a, i] : 0 <= i < 2 }")));
  EXPECT_TRUE(project_out(pairs, 1, 1).is_equal(set("{ [i] : 0 <= i < 3 }")));
  EXPECT_TRUE(drop_constraints(set("{ S[i, j] : 0 <= i < 2 and 0 <= j < 3 }"), 1, 1)
                  .is_equal(set("{ S[i, j] : 0 <= i < 2 }")));
  EXPECT_TRUE(with_tuple_name(move_dims_to_params(with_dim_names(pairs, {"i", "j"}), 0, 1), "S")
                  .is_equal(set("[i] -> { S[j] : 0 <= i < j < 4 }")));

  const isl::map sum = map("{ S[i, j] -> A[i + j] }");
  EXPECT_EQ(dim_count(sum, Dim::Domain), 2);
  EXPECT_EQ(dim_count(insert_dims(sum, Dim::Range, 1, 2), Dim::Range), 3);
  EXPECT_TRUE(project_out(map("{ [i, j] -> [i] : 0 <= j < 3 }"), Dim::Domain, 1, 1)
                  .is_equal(map("{ [i] -> [i] }")));
  EXPECT_TRUE(drop_constraints(map("{ S[i] -> A[j] : i < 3 and j < 4 }"), Dim::Range, 0, 1)
                  .is_equal(map("{ S[i] -> A[j] : i < 3 }")));
  EXPECT_TRUE(
      move_dims(map("{ [i] -> [j, k] : j = i and k = 2 }"), Dim::Domain, 1, Dim::Range, 1, 1)
          .is_equal(map("{ [i, k] -> [i] : k = 2 }")));
}

TEST_F(IslExt, Constraints) {
  EXPECT_TRUE(equate(set("{ S[i, j] }"), 0, 1).is_equal(set("{ S[i, i] }")));
  EXPECT_TRUE(fix(set("{ S[i, j] }"), 1, -7).is_equal(set("{ S[i, -7] }")));
  EXPECT_TRUE(bound(set("{ S[i] }"), 0, -1, 4).is_equal(set("{ S[i] : -1 <= i < 4 }")));
  const isl::map any = map("{ S[i] -> A[j] }");
  EXPECT_TRUE(equate(any, Dim::Domain, 0, Dim::Range, 0).is_equal(map("{ S[i] -> A[i] }")));
  EXPECT_TRUE(fix(any, Dim::Range, 0, 3).is_equal(map("{ S[i] -> A[3] }")));
  EXPECT_TRUE(bound(any, Dim::Domain, 0, 0, 2).is_equal(map("{ S[i] -> A[j] : 0 <= i < 2 }")));
  EXPECT_TRUE(
      order_lt(any, Dim::Domain, 0, Dim::Range, 0).is_equal(map("{ S[i] -> A[j] : i < j }")));
  EXPECT_THROW(fix(any, Dim::Range, 1, 3), isl::exception_invalid);
}

TEST_F(IslExt, OrdersByTime) {
  const isl::union_map time = umap("{ S[i] -> [i, 0] : 0 <= i < 3; T[i] -> [i, 1] : 0 <= i < 3 }");
  EXPECT_TRUE(
      lex_lt(time, time)
          .is_equal(umap("{ S[i] -> S[j] : 0 <= i < j < 3; T[i] -> T[j] : 0 <= i < j < 3;"
                         "  S[i] -> T[j] : 0 <= i <= j < 3; T[i] -> S[j] : 0 <= i < j < 3 }")));
  EXPECT_TRUE(lex_le(time, time)
                  .subtract(lex_lt(time, time))
                  .is_equal(umap("{ S[i] -> S[i] : 0 <= i < 3; T[i] -> T[i] : 0 <= i < 3 }")));
  EXPECT_TRUE(lex_gt(time, time).is_equal(lex_lt(time, time).reverse()));
  EXPECT_TRUE(lex_ge(time, time).is_equal(lex_le(time, time).reverse()));
  const isl::space plane = set("{ [i, j] }").space();
  EXPECT_TRUE(lex_lt(plane).is_equal(map("{ [i, j] -> [a, b] : i < a or (i = a and j < b) }")));
  EXPECT_TRUE(lex_le(plane).is_equal(lex_lt(plane).unite(map("{ [i, j] -> [i, j] }"))));
}

TEST_F(IslExt, ProductsAreFlat) {
  EXPECT_TRUE(flat_range_product(map("{ S[i] -> [i] }"), map("{ S[i] -> [0, i] }"))
                  .is_equal(map("{ S[i] -> [i, 0, i] }")));
  EXPECT_TRUE(flat_range_product(umap("{ S[i] -> [i]; T[i] -> [0] }"), umap("{ S[i] -> [1] }"))
                  .is_equal(umap("{ S[i] -> [i, 1] }")));
  EXPECT_TRUE(flat_domain_product(map("{ [i] -> [i] }"), map("{ [j] -> [j] }"))
                  .is_equal(map("{ [i, i] -> [i] }")));
  EXPECT_TRUE(
      flat_product(set("{ [i] : i = 1 }"), set("{ [j] : j = 2 }")).is_equal(set("{ [1, 2] }")));
  EXPECT_TRUE(all_pairs(isl::union_set(ctx(), "{ S[1] }"), isl::union_set(ctx(), "{ T[2]; U[3] }"))
                  .is_equal(umap("{ S[1] -> T[2]; S[1] -> U[3] }")));
}

TEST_F(IslExt, MembersAreSorted) {
  const std::vector<isl::map> maps = sorted_maps(umap("{ B[i] -> [i]; A[i] -> [i]; C[] -> [0] }"));
  std::vector<std::string> names;
  for (const isl::map& member : maps) names.push_back(tuple_name(member, Dim::Domain));
  EXPECT_THAT(names, ElementsAre("A", "B", "C"));
  const std::vector<isl::set> sets = sorted_sets(isl::union_set(ctx(), "{ Z[i]; Y[i] }"));
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(tuple_name(sets[0]), "Y");
}

TEST_F(IslExt, BoxOfAStridedTileWithHalo) {
  const std::optional<FixedBox> box = try_fixed_box(
      map("{ T[y] -> A[e] : exists yi, r : e = 4 * (16 * y + yi) + r and 0 <= yi < 16 and "
          "0 <= r < 11 }"));
  ASSERT_TRUE(box.has_value());
  EXPECT_THAT(box->sizes, ElementsAre(71));
  EXPECT_TRUE(box->offset.as_map().is_equal(map("{ T[y] -> A[64 * y] }")));
}

TEST_F(IslExt, BoxOfAUnionTakesItsHull) {
  const std::optional<FixedBox> box = try_fixed_box(map("{ T[i] -> A[i]; T[i] -> A[i + 5] }"));
  ASSERT_TRUE(box.has_value());
  EXPECT_THAT(box->sizes, ElementsAre(6));
}

TEST_F(IslExt, NoBoxWithoutAConstantSize) {
  EXPECT_FALSE(try_fixed_box(map("{ T[i] -> A[j] : 0 <= j < i }")).has_value());
}

TEST_F(IslExt, Strides) {
  const StrideInfo info =
      range_stride(map("{ S[i] -> A[e] : exists k : e = 4 * k + i and 0 <= k < 8 }"), 0);
  EXPECT_EQ(info.stride, 4);
  EXPECT_TRUE(
      isl::multi_aff(info.offset).as_map().is_subset(map("{ S[i] -> [o] : (o - i) mod 4 = 0 }")));
}

TEST_F(IslExt, HullsAndFunctions) {
  EXPECT_TRUE(
      simple_hull(set("{ S[i] : i = 0 or i = 4 }"))
          .is_equal(set("{ S[i] : 0 <= i <= 4 and i mod 4 = 0 }")) ||
      simple_hull(set("{ S[i] : i = 0 or i = 4 }")).is_equal(set("{ S[i] : 0 <= i <= 4 }")));
  const isl::space plane = set("{ S[i, j] }").space();
  EXPECT_EQ(coefficient(dim_on_domain(plane, 1), 1), 1);
  EXPECT_EQ(coefficient(dim_on_domain(plane, 1), 0), 0);
  EXPECT_EQ(coefficient(dim_on_domain(plane, 0).scale(-3), 0), -3);
}

TEST_F(IslExt, FlowFindsTheLastWriterPerElement) {
  const Flow flow = last_writers(umap("{ R[i] -> A[i] : 0 <= i < 3 }"),
                                 umap("{ W[] -> A[e] : 0 <= e < 2; X[] -> A[1] }"),
                                 umap("{ W[] -> [0, 0]; X[] -> [1, 0]; R[i] -> [2, i] }"));
  EXPECT_TRUE(flow.must.is_equal(umap("{ W[] -> R[0]; X[] -> R[1] }")));
  EXPECT_TRUE(flow.full.is_equal(umap("{ W[] -> [R[0] -> A[0]]; X[] -> [R[1] -> A[1]] }")));
  EXPECT_TRUE(flow.no_source.is_equal(umap("{ R[2] -> A[2] }")));
}

TEST_F(IslExt, TreeNodes) {
  const isl::union_set domain(ctx(), "{ S[i, j] : 0 <= i < 4 and 0 <= j < 4 }");
  const isl::multi_union_pw_aff rows(ctx(), "[{ S[i, j] -> [i] }]");
  const isl::multi_union_pw_aff columns(ctx(), "[{ S[i, j] -> [j] }]");
  isl::schedule_node node = isl::schedule::from_domain(domain).root().child(0);
  node = node.insert_partial_schedule(columns).insert_partial_schedule(rows);
  EXPECT_TRUE(subtree_schedule(node).is_equal(umap("{ S[i, j] -> [i, j] }")));

  const isl::schedule_node marked = node.insert_mark(make_id(ctx(), "axis i"));
  EXPECT_EQ(mark_id(marked).name(), "axis i");
  EXPECT_TRUE(delete_node(marked).schedule().get_map().is_equal(node.schedule().get_map()));
  const isl::schedule_node sunk = sink_band(node);
  EXPECT_TRUE(subtree_schedule(sunk.root().child(0)).is_equal(umap("{ S[i, j] -> [j, i] }")));
}

TEST_F(IslExt, AstUsesTheIteratorsNames) {
  const isl::union_map time = umap("{ S[i] -> [i] : 0 <= i < 8 }");
  const isl::ast_build build = with_iterators(isl::ast_build::from_context(set("{ : }")), {"row"});
  EXPECT_THAT(build.node_from_schedule_map(time).to_C_str(), testing::HasSubstr("int row = 0"));
}

TEST_F(IslExt, AstOptionsEndWithTheirScope) {
  const isl::union_map time = umap("[n, m] -> { S[i] -> [i] : 0 <= i < n and i < m }");
  const auto text = [&] {
    return isl::ast_build::from_context(set("{ : }")).node_from_schedule_map(time).to_C_str();
  };
  const std::string plain = text();
  {
    AstSettings settings;
    settings.detect_min_max = true;
    const AstOptionScope scope(ctx(), settings);
    EXPECT_THAT(text(), testing::HasSubstr("min("));
  }
  EXPECT_EQ(text(), plain);
}

TEST_F(IslExt, ExhaustedBudgetIsReportedAsQuota) {
  const isl::union_map time =
      umap("{ S[i, j, k] -> [i + j, k, j] : 0 <= i < 9 and i <= j < 7 and j <= k < 8 }");
  const IslBudget budget(ctx(), 5);
  EXPECT_THROW(lex_ge(time, time), isl::exception_quota);
}

}  // namespace
}  // namespace solway::isl_ext
