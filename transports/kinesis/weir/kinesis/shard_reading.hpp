#pragma once
#include <weir/instant.hpp>
#include <weir/kinesis/read_limits.hpp>
#include <weir/kinesis/record_batch.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/position.hpp>
#include <weir/retry_policy.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace weir::kinesis {

/// How a shard is polled. A value.
struct polling {
  polling() noexcept = default;
  std::size_t limit = 10'000;                                      ///< records of a reply, 1 to 10,000
  std::chrono::nanoseconds poll = std::chrono::milliseconds(500);  ///< between reads at the tip, > 0
  std::chrono::nanoseconds idle_poll = std::chrono::seconds(2);    ///< the same, when nothing comes; >= `poll`
};

/// What is to be done next to read a shard.
class read_step {
public:
  enum class kind : std::uint8_t {
    get_iterator,  ///< ask for an iterator `from` there
    get_records,   ///< ask for records by the iterator
    wait,          ///< do nothing `until` then
    end,           ///< nothing: the shard has ended, and all its records came
  };
  static read_step get_iterator(starting_position from) { return {kind::get_iterator, 0, std::move(from)}; }
  static read_step get_records() { return {kind::get_records, 0, starting_position::trim_horizon()}; }
  static read_step wait(instant until) { return {kind::wait, until, starting_position::trim_horizon()}; }
  static read_step end() { return {kind::end, 0, starting_position::trim_horizon()}; }

  kind what() const noexcept { return what_; }
  instant until() const noexcept { return until_; }
  starting_position const& from() const noexcept { return from_; }

private:
  read_step(kind k, instant until, starting_position from) : what_(k), until_(until), from_(std::move(from)) {}
  kind what_;
  instant until_;
  starting_position from_;
};

/// The reading of one shard: time and replies in, steps out. No I/O.
///
/// - While there is more, it reads as fast as the shard's allowance lets it; at the tip after `poll`, and when nothing comes after pauses
///   that double up to `idle_poll`, up to an eighth shorter by chance, the first of the longest up to all of it: so shards that began
///   together do not read in step. Within that it reads on a beat of 50 ms, which all shards have: a process that has many idle ones wakes
///   up for several at once, which takes half the time.
/// - There is more behind a full reply, and where the service says so. An empty reply that says so is read on behind at once, too, but only
///   `most_hollow` times in a row without the lag being less than before, since some services never stop saying it.
/// - An iterator that has expired is replaced by one behind the last record that came, of whatever reply. A start at the tip becomes the
///   time at which that was, as the service counts it, so that what came meanwhile is not left out.
/// - Throttled, or failed for a while: the same again, after pauses that double from 200 ms up to ten seconds, with full jitter, for as
///   long as it takes; every fifth time with another iterator, but for a start at the tip of which nothing came, whose iterator knows the
///   tip better than this machine's clock: that is kept for ten minutes, in which it expires.
/// - A reply without an iterator is the shard's last one, unless it is `not_ended`.
///
/// Behind a position it resumes with the record at it, since that may have others in it: leave out what is not behind the position.
/// Strand only.
class shard_reading {
public:
  static constexpr unsigned most_hollow = 25;

  shard_reading(polling how, starting_position start, std::optional<position> after, std::shared_ptr<shard_allowance> allowance,
                std::uint32_t seed);

  /// What to do at this time. The same again until it is answered.
  read_step next(instant now);
  std::string const& iterator() const noexcept { return iterator_; }

  /// `ahead`: how far the service's clock is ahead of the one that `next` is told, by which a start at the tip becomes a time.
  void got_iterator(std::string iterator, std::chrono::nanoseconds ahead = {});
  void got_records(record_batch const& batch, instant now);
  /// The shard is open, whatever the last reply said: it is read on behind the last record, after `idle_poll`.
  void not_ended(instant now);
  /// A step has failed. False: for good, and what failed is not this class's to deal with.
  bool failed(std::error_code const& why, instant now);

  /// The last reply was empty, and so the shard is: nothing came, though it was able to.
  bool idle() const noexcept { return idle_; }
  /// Failures since something succeeded.
  unsigned failures() const noexcept { return failures_; }

private:
  starting_position from() const;
  bool knows_only_the_tip() const noexcept;
  void take_next(record_batch const& batch, std::size_t bytes, instant now);
  std::uint64_t random();

  polling const how_;
  starting_position const start_;
  std::optional<position> const after_;
  std::shared_ptr<shard_allowance> const allowance_;
  std::minstd_rand random_;
  std::string iterator_;
  std::optional<position> accepted_;  // the last record that came
  std::optional<instant> tip_at_;     // when the tip was asked for, by the service's clock
  std::chrono::nanoseconds pause_;    // the next one at the tip
  instant due_ = start_of_time, asked_at_ = start_of_time;
  unsigned failures_ = 0, hollow_ = 0;
  std::optional<std::chrono::milliseconds> least_behind_;  // since a record came
  bool turn_taken_ = false, ended_ = false, idle_ = false, at_longest_ = false;
};

}  // namespace weir::kinesis
