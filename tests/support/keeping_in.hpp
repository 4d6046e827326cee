#pragma once
#include <weir/commit_policy.hpp>
#include <weir/log.hpp>
#include <weir/settings.hpp>
#include <weir/state_store.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace weir::test {

/// Settings of an application called "test" that keeps its checkpoints there, and says nothing below an error.
inline settings keeping_in(std::shared_ptr<state_store> store, commit_policy commit = {}) {
  settings s;
  s.name = "test";
  s.checkpoints = std::move(store);
  s.commit = commit;
  s.log = logger(log_level::error, [](log_level, std::string_view) {});
  return s;
}
/// ... with a checkpoint after so many records.
inline settings keeping_in(std::shared_ptr<state_store> store, std::uint64_t records) {
  commit_policy commit;
  commit.records = records;
  return keeping_in(std::move(store), commit);
}

}  // namespace weir::test
