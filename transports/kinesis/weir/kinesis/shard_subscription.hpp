#pragma once
#include <weir/instant.hpp>
#include <weir/kinesis/record_batch.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/position.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace weir::kinesis {

/// What is to be done next to have a shard's records by subscriptions.
class subscription_step {
public:
  enum class kind : std::uint8_t {
    subscribe,  ///< `from` there; then take its events, until it ends
    wait,       ///< do nothing `until` then
    end,        ///< nothing: the shard has ended, and all its records came
  };
  static subscription_step subscribe(starting_position from) { return {kind::subscribe, 0, std::move(from)}; }
  static subscription_step wait(instant until) { return {kind::wait, until, starting_position::trim_horizon()}; }
  static subscription_step end() { return {kind::end, 0, starting_position::trim_horizon()}; }

  kind what() const noexcept { return what_; }
  instant until() const noexcept { return until_; }
  starting_position const& from() const noexcept { return from_; }

private:
  subscription_step(kind k, instant until, starting_position from) : what_(k), until_(until), from_(std::move(from)) {}
  kind what_;
  instant until_;
  starting_position from_;
};

/// The reading of one shard by enhanced fan-out: time and events in, steps out. No I/O.
///
/// - A subscription ends after five minutes, or fails before; the next one goes on behind the last event: at its continuation where that is
///   a sequence number that is not before the last record, which some services do not hold to; else behind the last record. A continuation
///   that is refused is not tried again. What came already is left out, should it come again.
/// - Between a subscription that was agreed to and the next one there are five seconds, in which the service would refuse it; between one
///   that was not and the next, one second and more, with full jitter, up to ten. So also where subscriptions end without an event.
/// - One that is refused since another one holds the shard (`errc::resource_in_use`) is tried again after five seconds and up to one more:
///   then it takes the shard over.
/// - Failures that pass are tried again for as long as it takes. An event without a continuation is the shard's last one, unless it is
///   `not_ended`.
///
/// Behind a position it resumes with the record at it, since that may have others in it: leave out what is not behind the position.
/// Strand only.
/// Source: SubscribeToShard, Kinesis Data Streams API reference.
class shard_subscription {
public:
  shard_subscription(starting_position start, std::optional<position> after, std::uint32_t seed);

  /// What to do at this time. The same again until it is answered.
  subscription_step next(instant now);

  /// The service has agreed. `ahead`: how far its clock is ahead of the one that `next` is told, by which a start at the tip becomes a
  /// time, should nothing come of this subscription.
  void subscribed(instant now, std::chrono::nanoseconds ahead = {});
  /// An event. Takes records out of it which came before.
  void got_event(record_batch& event, instant now);
  /// The subscription has ended by itself.
  void ended(instant now);
  /// The shard is open, whatever the last event said: it is subscribed to again, behind the last record.
  void not_ended(instant now);
  /// A step has failed, or the subscription. False: for good, and what failed is not this class's to deal with.
  bool failed(std::error_code const& why, instant now);

  /// The last event was empty, and there is nothing behind it.
  bool idle() const noexcept { return idle_; }
  /// Failures since an event came.
  unsigned failures() const noexcept { return failures_; }

  /// Where somebody else goes on, who polls: behind this position, or, where there is none, from there.
  std::optional<position> reached() const noexcept;
  starting_position start() const;

private:
  bool knows_only_the_tip() const noexcept;
  starting_position from() const;
  void pause(instant now);
  std::uint64_t random();

  starting_position const start_;
  std::optional<position> const after_;
  std::minstd_rand random_;
  std::optional<position> accepted_;  // the last record that came
  std::string continuation_;          // empty: there is none to go on at
  std::optional<instant> tip_at_;     // when the tip was subscribed to, by the service's clock
  instant due_ = start_of_time, asked_at_ = start_of_time;
  unsigned failures_ = 0;
  bool heard_ = false, ended_ = false, idle_ = false;  // heard_: an event, since it was subscribed to
};

}  // namespace weir::kinesis
