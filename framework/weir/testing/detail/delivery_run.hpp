#pragma once
#include <weir/application.hpp>
#include <weir/commit_policy.hpp>
#include <weir/state_store.hpp>
#include <weir/testing/delivery_report.hpp>
#include <weir/testing/delivery_trial.hpp>
#include <weir/testing/kept_outside.hpp>
#include <weir/testing/mishap.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weir::testing::detail {

// How a process is built, whatever goes wrong with it.
struct delivery_plan {
  std::function<void(application&, delivery_trial&)> build;
  std::function<std::shared_ptr<state_store>(std::shared_ptr<state_store>)> wrap_store;
  std::shared_ptr<kept_outside> outside;  // null: everything is the trial's
  commit_policy commit;
  std::uint64_t seed = 1;
};

// What is there when the data has ended.
struct delivery_effects {
  std::map<std::string, std::string> keyed;
  std::vector<std::string> listed;
};

struct delivery_outcome {
  delivery_effects effects;
  std::vector<std::string> conflicts, log;
  std::string failure;
  std::uint64_t steps = 0, reads = 0, writes = 0, commits = 0;
};

// Starts the process, and again after each crash and failure, until its data has ended.
delivery_outcome run_trial(delivery_plan const& plan, delivery_schedule const& mishaps);

// What is wrong with it. `once`: listed effects must not be there more often than expected.
delivery_report judge(delivery_outcome const& got, delivery_effects const& expected, bool once);

}  // namespace weir::testing::detail
