#include <weir/kinesis/shard_reading.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/sequence_number.hpp>

#include <algorithm>
#include <limits>

namespace weir::kinesis {
namespace {

constexpr std::size_t much = 1024 * 1024;  // of bytes: a reply that the service may have cut
constexpr unsigned failures_of_an_iterator = 5;
// Twice as long as an iterator lives, and as the clock may be wrong by which requests are signed: what is that long ago is not in the
// future for the service, and nothing that came before it is unread.
constexpr instant tip_is_past = 10 * 60 * instant{1'000'000'000};

retry_policy backoff() {
  using namespace std::chrono_literals;
  return retry_policy().attempts(std::numeric_limits<unsigned>::max()).first_delay(200ms).cap(10s).blur(jitter::full);
}

// That time, or one close to it on a beat that all shards have: many are read at the same moments then, for which a process wakes up less
// often, and half the work is to wake up. Not before `first` nor behind `last`.
instant on_the_beat(instant t, instant first, instant last) noexcept {
  using namespace std::chrono_literals;
  constexpr std::chrono::nanoseconds beat = 50ms;
  instant const before = floor_to(t, beat), after = before + beat.count();
  return before >= first ? before : after <= last ? after : t;
}

std::size_t bytes_of(record_batch const& batch) noexcept {
  std::size_t out = 0;
  for (record_view const& r : batch.records) out += r.data.size() + r.partition_key.size();
  return out;
}

}  // namespace

shard_reading::shard_reading(polling how, starting_position start, std::optional<position> after,
                             std::shared_ptr<shard_allowance> allowance, std::uint32_t seed)
    : how_(how), start_(std::move(start)), after_(after), allowance_(std::move(allowance)), random_(seed), pause_(how.poll) {}

std::uint64_t shard_reading::random() { return std::uint64_t{random_()} << 31 | random_(); }

starting_position shard_reading::from() const {
  if (accepted_) return starting_position::after(sequence_number_of(*accepted_));
  if (after_) return starting_position::at(sequence_number_of(*after_));
  if (tip_at_ && knows_only_the_tip()) return starting_position::at(*tip_at_);
  return start_;
}

bool shard_reading::knows_only_the_tip() const noexcept {
  return !accepted_ && !after_ && start_.which() == starting_position::type::latest;
}

read_step shard_reading::next(instant now) {
  if (now < due_) return read_step::wait(due_);
  if (ended_) return read_step::end();
  if (iterator_.empty()) {
    asked_at_ = now;
    return read_step::get_iterator(from());
  }
  if (!turn_taken_) {
    turn_taken_ = true;
    due_ = allowance_->take_turn(now);
    if (now < due_) return read_step::wait(due_);
  }
  return read_step::get_records();
}

void shard_reading::got_iterator(std::string iterator, std::chrono::nanoseconds ahead) {
  iterator_ = std::move(iterator);
  if (!tip_at_) tip_at_ = asked_at_ + ahead.count();
}

void shard_reading::got_records(record_batch const& batch, instant now) {
  std::size_t const bytes = bytes_of(batch);
  allowance_->spend(bytes, now);
  turn_taken_ = false;
  failures_ = 0;
  idle_ = false;
  if (!batch.records.empty()) accepted_ = batch.records.back().position;
  iterator_ = batch.next_iterator;
  ended_ = iterator_.empty();
  if (!ended_) take_next(batch, bytes, now);
}

void shard_reading::take_next(record_batch const& batch, std::size_t bytes, instant now) {
  bool const behind = batch.behind && *batch.behind > std::chrono::milliseconds(0);
  bool const empty = batch.records.empty();
  if (!empty) least_behind_.reset();
  bool const nearer = behind && (!least_behind_ || *batch.behind < *least_behind_);
  if (nearer) least_behind_ = batch.behind;
  if (!empty || !behind) hollow_ = 0;
  else hollow_ = nearer ? 1 : hollow_ + 1;
  due_ = now;
  if (empty ? hollow_ != 0 && hollow_ <= most_hollow : behind || batch.records.size() >= how_.limit || bytes >= much) return;
  idle_ = empty;
  pause_ = empty ? std::min(2 * pause_, how_.idle_poll) : how_.poll;
  // The first of the longest pauses is of any length, so that shards which began together do not read in step.
  bool const first = std::exchange(at_longest_, empty && pause_ == how_.idle_poll) < at_longest_;
  std::chrono::nanoseconds const less = first ? pause_ : pause_ / 8;
  instant const last = now + pause_.count();
  due_ = on_the_beat(last - static_cast<instant>(random() % static_cast<std::uint64_t>(less.count() + 1)), last - less.count(), last);
}

void shard_reading::not_ended(instant now) {
  ended_ = false;
  due_ = now + how_.idle_poll.count();
}

bool shard_reading::failed(std::error_code const& why, instant now) {
  bool const expired = why == errc::expired_iterator;
  if (!expired && why != condition::retryable) return false;
  turn_taken_ = false;
  ++failures_;
  bool const keeps = knows_only_the_tip() && tip_at_ && now - *tip_at_ < tip_is_past;
  if (expired || (failures_ % failures_of_an_iterator == 0 && !keeps)) iterator_.clear();
  due_ = now;
  if (!expired || failures_ > 1) due_ += backoff().delay(failures_, random())->count();
  return true;
}

}  // namespace weir::kinesis
