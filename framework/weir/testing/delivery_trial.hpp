#pragma once
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/state_store.hpp>
#include <weir/testing/appending_sink.hpp>
#include <weir/testing/fault_script.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/idempotent_sink.hpp>
#include <weir/testing/message_receiver.hpp>
#include <weir/testing/mishap.hpp>
#include <weir/testing/script.hpp>

#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace weir::testing {

/// What outlives the crashes in one trial of `delivery_check`: where the data comes from, where effects go, what was committed.
class delivery_trial {
public:
  explicit delivery_trial(delivery_schedule const& mishaps);
  delivery_trial(delivery_trial const&) = delete;
  delivery_trial& operator=(delivery_trial const&) = delete;

  /// The data, for `application::use_source`. Scripts with the same elements and name are one: a failure happens once in a trial.
  template <class T> std::shared_ptr<faulty_source<T>> source(script<T> const& input) {
    std::shared_ptr<void>& known = scripts_[std::pair(std::string(input.name()), std::type_index(typeid(T)))];
    if (!known) known = std::make_shared<script<T>>(input.afresh());
    return std::make_shared<faulty_source<T>>(*static_cast<script<T> const*>(known.get()), reads_);
  }
  idempotent_sink& idempotent() noexcept { return idempotent_; }
  appending_sink& appending() noexcept { return appending_; }
  /// Rows that are written with the commits, for `pipeline.use_sink`. They count as written to `appending()`.
  memory_table<std::string> const& table() const noexcept { return table_; }
  /// For the topics of `pipeline.use_topic`: drops messages whose identity it knows. The effects of others count as written to
  /// `appending()`.
  std::shared_ptr<message_receiver> const& receiver() const noexcept { return receiver_; }

  // For the check.
  /// The store of a process that is started: keeps in `outside`, or, when that is null, what is the trial's.
  std::shared_ptr<state_store> store(std::shared_ptr<state_store> outside = nullptr) const;
  void note(std::string what);
  /// What has happened, one line each.
  std::vector<std::string> const& log() const noexcept { return *log_; }
  std::uint64_t reads() const noexcept { return reads_.calls(); }
  std::uint64_t writes() const noexcept { return writes_.calls(); }
  std::uint64_t commits() const noexcept { return commits_.calls(); }

private:
  std::shared_ptr<std::vector<std::string>> log_ = std::make_shared<std::vector<std::string>>();
  fault_script reads_{"read"}, writes_{"write"}, commits_{"commit"};
  std::shared_ptr<memory_state_store> kept_ = std::make_shared<memory_state_store>();
  memory_table<std::string> table_{kept_};
  std::map<std::pair<std::string, std::type_index>, std::shared_ptr<void>> scripts_;
  idempotent_sink idempotent_{writes_};
  appending_sink appending_{writes_};
  std::shared_ptr<message_receiver> receiver_ = std::make_shared<message_receiver>(writes_);
};

}  // namespace weir::testing
