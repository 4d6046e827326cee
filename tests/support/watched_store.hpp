#pragma once
#include <weir/context.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/sleep.hpp>
#include <weir/task.hpp>
#include <weir/testing/simulation.hpp>

#include "support/forwarding_store.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// The store that all workers share. It knows who committed what: once a run of a partition has been followed by another, nothing of it
/// may come any more.
class watched_store final : public forwarding_store {
public:
  explicit watched_store(std::shared_ptr<memory_state_store> inside) : forwarding_store(std::move(inside)) {}
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    std::string const partition = key.partition, writer = update.head.writer;
    task<> committing = inside().commit(std::move(key), std::move(update));
    co_await std::move(committing);
    auto& of = writers[partition];
    if (!of.empty() && of.back() == writer) co_return;
    if (std::ranges::find(of, writer) != of.end()) ++zombies;
    of.push_back(writer);
  }

  std::map<std::string, std::vector<std::string>> writers;
  int zombies = 0;  ///< commits of who had been followed
};

/// The same for one worker: its commits may take long, and arrive whatever becomes of the worker, as a request does that is on its way.
class slow_store final : public forwarding_store {
public:
  slow_store(std::shared_ptr<state_store> inside, testing::simulation& in) : forwarding_store(std::move(inside)), world_(in) {}
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    context aside(world_.main());
    task<> on_its_way = take(longest);
    co_await std::move(on_its_way).under(aside);
    task<> committing = inside().commit(std::move(key), std::move(update));
    co_await std::move(committing);
    if (after_commit) after_commit();
  }
  std::chrono::nanoseconds longest{};
  std::function<void()> after_commit;  ///< may throw: then it is done, and nobody knows

private:
  static task<> take(std::chrono::nanoseconds d) {
    if (d.count() != 0) co_await sleep_for(d);
  }
  testing::simulation& world_;
};

}  // namespace weir::test
