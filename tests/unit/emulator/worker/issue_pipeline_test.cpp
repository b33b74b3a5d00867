#include "emulator/worker/issue_pipeline.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr int kRegisters = 64;

MachineInstruction load(int to, int address) { return {Pipe::One, 4, 1, {address}, {to}}; }
MachineInstruction fma(int to, int a, int b) { return {Pipe::Zero, 7, 1, {to, a, b}, {to}}; }
MachineInstruction add(int to, int from) { return {Pipe::Either, 1, 1, {from}, {to}}; }
MachineInstruction branch(int condition) { return {Pipe::One, 1, 1, {condition}, {}}; }
MachineInstruction divide(int to, int a, int b) { return {Pipe::Zero, 30, 30, {a, b}, {to}}; }

/// Cycles of one round of a loop, once the rounds are alike.
double cycles_per_round(const std::vector<MachineInstruction>& body) {
  constexpr int kWarm = 8;
  constexpr int kRounds = 8;
  IssuePipeline pipeline(kRegisters);
  std::int64_t begin = 0;
  for (int round = 0; round < kWarm + kRounds; ++round) {
    if (round == kWarm) begin = pipeline.slots();
    for (const MachineInstruction& instruction : body) pipeline.issue(instruction);
  }
  return static_cast<double>(pipeline.slots() - begin) / 2 / kRounds;
}

std::int64_t slots_of(const std::vector<MachineInstruction>& sequence) {
  IssuePipeline pipeline(kRegisters);
  for (const MachineInstruction& instruction : sequence) pipeline.issue(instruction);
  return pipeline.slots();
}

TEST(IssuePipeline, TwoGoTogetherWhenTheyNeedDifferentPipes) {
  EXPECT_EQ(slots_of({load(1, 0), fma(2, 3, 4)}), 2);
  EXPECT_EQ(slots_of({load(1, 0), load(2, 0)}), 3);
  EXPECT_EQ(slots_of({fma(1, 3, 4), fma(2, 3, 4)}), 3);
  EXPECT_EQ(slots_of({add(1, 0), add(2, 0), add(3, 0)}), 3);
}

TEST(IssuePipeline, TheFirstOfTwoLeavesTheSecondThePipeThatItNeeds) {
  EXPECT_EQ(slots_of({add(1, 0), load(2, 0)}), 2);
  EXPECT_EQ(slots_of({add(1, 0), fma(2, 3, 4)}), 2);
}

TEST(IssuePipeline, WhatTheFirstWritesKeepsTheSecondBack) {
  EXPECT_EQ(slots_of({add(1, 0), add(2, 1)}), 3);  // it reads it
  EXPECT_EQ(slots_of({add(1, 0), add(1, 2)}), 3);  // it writes it too
  EXPECT_EQ(slots_of({add(1, 0), add(0, 2)}), 2);  // it overwrites what the first reads
}

TEST(IssuePipeline, AResultIsThereAfterItsLatency) {
  EXPECT_EQ(slots_of({load(1, 0), fma(2, 1, 3)}), 2 * 4 + 1);
  EXPECT_EQ(slots_of({fma(2, 1, 3), fma(2, 1, 3)}), 2 * 7 + 1);
  // Five cycles that others fill.
  EXPECT_EQ(slots_of({load(1, 0), load(4, 0), load(5, 0), load(6, 0), fma(2, 1, 3)}), 2 * 4 + 1);
}

TEST(IssuePipeline, AnotherNameOfARegisterTakesNothing) {
  MachineInstruction name;
  name.is_name = true;
  name.reads = {1};
  name.writes = {2};
  // The second product reads what was loaded, the first what was in the register before.
  const std::vector<MachineInstruction> sequence = {load(1, 0), fma(3, 2, 4), name, fma(5, 2, 4)};
  EXPECT_EQ(slots_of(sequence), 2 * 4 + 1);
  EXPECT_EQ(slots_of({fma(3, 2, 4), name, fma(5, 2, 4)}), 3);
}

TEST(IssuePipeline, AShortResultDoesNotOvertakeALongOneOfTheSameRegister) {
  EXPECT_EQ(slots_of({fma(2, 1, 3), load(2, 0)}), 2 * 3 + 1);
}

TEST(IssuePipeline, ADividerTakesOneAfterTheOther) {
  EXPECT_EQ(slots_of({divide(1, 2, 3), divide(4, 2, 3)}), 2 * 30 + 1);
  EXPECT_EQ(slots_of({divide(1, 2, 3), load(4, 0)}), 2);
  EXPECT_EQ(slots_of({divide(1, 2, 3), add(4, 0), add(5, 0)}), 3);
}

TEST(IssuePipeline, SaysWhatTheCyclesWereLostTo) {
  IssuePipeline pipeline(kRegisters);
  pipeline.issue(load(1, 0));
  pipeline.issue(fma(2, 1, 3));
  EXPECT_EQ(pipeline.stalls().dependence_cycles, 3);
  pipeline.issue(divide(4, 5, 6));
  pipeline.issue(divide(7, 5, 6));
  EXPECT_EQ(pipeline.stalls().pipe_cycles, 29);
  pipeline.drain();
  EXPECT_EQ(pipeline.slots(), 2 * (4 + 1 + 30 + 30));
}

TEST(IssuePipeline, AddsUpInParts) {
  const std::vector<MachineInstruction> body = {load(1, 0), add(0, 0), fma(2, 1, 3), add(5, 5),
                                                load(4, 0)};
  IssuePipeline whole(kRegisters);
  std::int64_t sum = 0;
  for (int round = 0; round < 10; ++round) {
    const std::int64_t before = whole.slots();
    for (const MachineInstruction& instruction : body) whole.issue(instruction);
    sum += whole.slots() - before;
  }
  EXPECT_EQ(sum, whole.slots());
}

/// 16 x 4 elements of a product of doubles, one step: four vectors of A, four values of B spread
/// over vectors, 16 products. `loads_first` as a compiler orders them, else the loads of the next
/// step between the products of this one, which then read what the step before has loaded.
std::vector<MachineInstruction> product_step(int a, int b) {
  std::vector<MachineInstruction> out;
  for (int n = 0; n < 4; ++n) {
    for (int m = 0; m < 4; ++m) out.push_back(fma(16 + 4 * n + m, a + m, b + n));
  }
  return out;
}

std::vector<MachineInstruction> loads_of(int a, int b) {
  std::vector<MachineInstruction> out;
  for (int k = 0; k < 4; ++k) out.push_back(load(a + k, 40));
  for (int k = 0; k < 4; ++k) out.push_back(load(b + k, 41));
  return out;
}

/// Measured: 25 to 26 cycles of compiled code, 16 to 17 of code ordered by hand (Fang et al., the
/// journal version of swDNN, figure 5; swGEMM).
TEST(IssuePipeline, APublishedInnerLoopAsCompiled) {
  std::vector<MachineInstruction> body = loads_of(0, 8);
  const auto products = product_step(0, 8);
  body.insert(body.end(), products.begin(), products.end());
  for (const auto& one : {add(40, 40), add(42, 42), add(41, 41), branch(42)}) body.push_back(one);
  EXPECT_EQ(cycles_per_round(body), 26);
}

TEST(IssuePipeline, APublishedInnerLoopOrderedByHand) {
  std::vector<MachineInstruction> body;
  const auto half = [&](int now, int next, bool is_last) {
    std::vector<MachineInstruction> between = loads_of(4 * next, 8 + 4 * next);
    between.push_back(add(40, 40));
    between.push_back(add(41, 41));
    if (is_last) between.push_back(add(42, 42));
    const auto products = product_step(4 * now, 8 + 4 * now);
    for (std::size_t k = 0; k < products.size(); ++k) {
      body.push_back(products[k]);
      if (k < between.size()) body.push_back(between[k]);
    }
    if (is_last) body.push_back(branch(42));
  };
  half(0, 1, false);
  half(1, 0, true);
  EXPECT_EQ(cycles_per_round(body) / 2, 16);
}

}  // namespace
}  // namespace solway::emulator
