#pragma once
#include <weir/environment.hpp>
#include <weir/metrics.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::kinesis::detail {

// What is told of a shard while it is read.
class shard_report {
public:
  shard_report(std::string_view stream, std::string_view id);
  shard_report(shard_report const&) = delete;
  shard_report& operator=(shard_report const&) = delete;

  void behind(environment& env, std::optional<std::chrono::milliseconds> lag);
  void misplaced(environment& env, std::uint64_t so_far);
  void not_ended(environment& env);

private:
  std::string const stream_, id_;
  std::array<metric_label, 2> const labels_;
  std::uint64_t misplaced_ = 0;
  bool said_ = false, said_open_ = false;
};

}  // namespace weir::kinesis::detail
