#include "schedule/whole_units.h"

#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solway::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(ShapeInUnits, WholeRowsOfWholeUnitsNeedNoRoom) {
  EXPECT_THAT(shape_in_units({{7, 64}, {64, 1}, {0, 0}}, 32), Optional(ElementsAre(7, 64)));
}

TEST(ShapeInUnits, ARowThatBeginsWithinAUnitHasRoomForBothOfItsEnds) {
  EXPECT_THAT(shape_in_units({{5}, {1}, {2, 0}}, 4), Optional(ElementsAre(8)));
  EXPECT_THAT(shape_in_units({{6}, {1}, {3, 0}}, 4), Optional(ElementsAre(12)));
  EXPECT_THAT(shape_in_units({{6}, {1}, {0, 1}}, 4), Optional(ElementsAre(12)));
}

TEST(ShapeInUnits, RowsAreAsFarApartAsInMainMemoryButForUnits) {
  // 67 = 71 = 3 more than whole units.
  EXPECT_THAT(shape_in_units({{4, 67}, {67, 1}, {0, 0}}, 4), Optional(ElementsAre(4, 71)));
  // So that regions that take turns begin with a unit, there is room for a row more.
  EXPECT_THAT(shape_in_units({{3, 67}, {67, 1}, {0, 0}}, 4), Optional(ElementsAre(4, 71)));
  // A row by itself is not apart from any other.
  EXPECT_THAT(shape_in_units({{1, 6}, {7, 1}, {3, 0}}, 4), Optional(ElementsAre(1, 12)));
}

TEST(ShapeInUnits, SomeDistancesAreNone) {
  // Every second row of 3 planes of 7 rows: 8 rows later, not 7.
  EXPECT_EQ(shape_in_units({{3, 2, 4}, {14, 4, 1}, {0, 0}}, 4), std::nullopt);
}

TEST(LeadsOfRows, FollowFromTheDistanceOfRows) {
  EXPECT_EQ(leads_of_rows({{4, 6}, {66, 1}, {1, 0}}, 4), (UnitLeads{1, 2}));
  EXPECT_EQ(leads_of_rows({{4, 6}, {64, 1}, {5, 0}}, 4), (UnitLeads{1, 0}));
  EXPECT_EQ(leads_of_rows({{1, 6}, {67, 1}, {5, 8}}, 32), (UnitLeads{5, 8}));
}

TEST(ElemsInUnits, AreTheMeanOverWhereRowsBegin) {
  EXPECT_EQ(elems_in_units(4, {0, 0}, 4), 4);
  EXPECT_EQ(elems_in_units(4, {1, 0}, 4), 8);
  EXPECT_EQ(elems_in_units(4, {0, 2}, 4), 6);
  EXPECT_EQ(elems_in_units(3, {0, 1}, 4), 6);
}

/// Fills the units of each row of one region as a transfer would; the cells of rows.
class Region {
 public:
  Region(const UnitRows& rows, const std::vector<std::int64_t>& shape, std::int64_t lead)
      : rows_(rows), shape_(shape), lead_(lead) {}

  /// Whether no units of a row reach cells of another one, and all lie within the region and where
  /// main memory's do.
  bool is_sound(std::int64_t unit) {
    is_sound_ = true;
    visit(0, lead_, lead_, unit);
    return is_sound_;
  }

 private:
  void visit(std::size_t dim, std::int64_t near, std::int64_t main, std::int64_t unit) {
    if (dim + 1 == rows_.sizes.size()) return row(near, main, unit);
    std::int64_t stride = 1;
    for (std::size_t k = dim + 1; k < shape_.size(); ++k) stride *= shape_[k];
    for (std::int64_t k = 0; k < rows_.sizes[dim]; ++k) {
      visit(dim + 1, near + k * stride, main + k * rows_.strides[dim], unit);
    }
  }

  void row(std::int64_t near, std::int64_t main, std::int64_t unit) {
    std::int64_t cells = 1;
    for (const std::int64_t extent : shape_) cells *= extent;
    const std::int64_t begin = near / unit * unit;
    const std::int64_t end = (near + rows_.sizes.back() + unit - 1) / unit * unit;
    is_sound_ = is_sound_ && near % unit == main % unit && begin >= end_ && end <= cells &&
                cells % unit == 0;
    end_ = end;
  }

  const UnitRows& rows_;
  const std::vector<std::int64_t>& shape_;
  std::int64_t lead_;
  std::int64_t end_ = 0;
  bool is_sound_ = true;
};

TEST(ShapeInUnits, IsSoundForAllSmallTensors) {
  int found = 0;
  for (std::int64_t unit : {2, 3, 4, 8}) {
    for (std::int64_t columns = 1; columns <= 9; ++columns) {
      for (std::int64_t lines = 1; lines <= 5; ++lines) {
        for (std::int64_t width = 1; width <= columns; ++width) {
          for (std::int64_t height = 1; height <= lines; ++height) {
            for (std::int64_t step : {1, 2, 3}) {
              const UnitRows rows{{2, height, width}, {lines * columns, columns, 1}, {1, step}};
              const auto shape = shape_in_units(rows, unit);
              if (!shape) continue;
              ++found;
              for (std::int64_t lead = 0; lead < unit; ++lead) {
                if ((lead - 1) % std::gcd(step, unit) != 0) continue;
                EXPECT_TRUE(Region(rows, *shape, lead).is_sound(unit))
                    << unit << ": " << height << " x " << width << " of " << lines << " x "
                    << columns << ", lead " << lead;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(found, 4000);
}

}  // namespace
}  // namespace solway::schedule
