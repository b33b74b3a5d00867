#include "runtime/cpu_quota.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <unistd.h>

namespace solway::runtime {
namespace {

namespace fs = std::filesystem;

/// Folders that look like /proc and /sys.
class CpuQuota : public testing::Test {
 protected:
  CpuQuota()
      : root_(fs::temp_directory_path() /
              ("solway_cpu_quota_" + std::to_string(getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~CpuQuota() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  int quota() const { return cpu_quota(root_); }

 private:
  fs::path root_;
};

TEST_F(CpuQuota, NothingIsNoLimit) {
  EXPECT_EQ(quota(), 0);
  write("proc/self/cgroup", "0::/a/b\n");
  EXPECT_EQ(quota(), 0);
  write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 0);
}

TEST_F(CpuQuota, WholeProcessorsAndAtLeastOne) {
  write("proc/self/cgroup", "0::/a\n");
  const auto with = [&](const std::string& text) {
    write("sys/fs/cgroup/a/cpu.max", text);
    return quota();
  };
  EXPECT_EQ(with("400000 100000\n"), 4);
  EXPECT_EQ(with("250000 100000\n"), 2);
  EXPECT_EQ(with("20000 100000\n"), 1);
  EXPECT_EQ(with("50000 25000\n"), 2);
  EXPECT_EQ(with("0 100000\n"), 0);
  EXPECT_EQ(with("100000 0\n"), 0);
  EXPECT_EQ(with("nonsense\n"), 0);
}

TEST_F(CpuQuota, TheLeastOfAllGroupsAround) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
  EXPECT_EQ(quota(), 8);
  write("sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3);
  write("sys/fs/cgroup/a/b/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuota, AContainerSeesItsOwnGroupAtTheRoot) {
  write("proc/self/cgroup", "0::/docker/0123\n");
  write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
  write("proc/self/cgroup", "0::/../../outside\n");
  EXPECT_EQ(quota(), 2);
  write("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuota, Version1) {
  write("proc/self/cgroup", "7:memory:/m\n4:cpu,cpuacct:/a\n1:cpuset:/s\n");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0);
  write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "300000\n");
  EXPECT_EQ(quota(), 3);
}

TEST_F(CpuQuota, OfThisProcessIsNoError) { EXPECT_GE(cpu_quota(), 0); }

}  // namespace
}  // namespace solway::runtime
