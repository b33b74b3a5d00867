// A C++ program that keeps its schedule in a Python file next to it:
//   scheduled_in_python matmul_schedule.py
#include <iostream>

#include "driver/solway.h"
#include "python/bindings/run_script.h"

using namespace solway;

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: scheduled_in_python SCHEDULE.py\n";
    return 2;
  }
  constexpr std::int64_t kSize = 64;
  const Tensor A = placeholder({kSize, kSize}, DType::Float32, "A");
  const Axis k = reduce_axis(0, kSize, "k");
  const Tensor C = compute(
      {kSize, kSize}, {"i", "j"},
      [&](Axis i, Axis j) {
        return sum(A[{i, k}] * A[{k, j}], {k});
      },
      "C");
  try {
    const Schedule s = run_script(words[1], {C});
    std::cout << s.to_string();
    std::vector<float> a(kSize * kSize, 1), c(kSize * kSize);
    build(s, {A, C})({a, c});
    for (const float element : c) {
      if (element != kSize) return 1;
    }
    std::cout << "all " << c.size() << " elements are right\n";
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
