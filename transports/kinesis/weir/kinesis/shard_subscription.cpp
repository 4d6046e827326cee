#include <weir/kinesis/shard_subscription.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/retry_policy.hpp>

#include <algorithm>
#include <limits>

namespace weir::kinesis {
namespace {

constexpr instant second = 1'000'000'000;
constexpr instant between_calls = second, between_subscriptions = 5 * second;
// As for iterators (`shard_reading`): what is that long ago is not in the future for the service.
constexpr instant tip_is_surely_past = 10 * 60 * second;

retry_policy between_refusals() {
  using namespace std::chrono_literals;
  return retry_policy().attempts(std::numeric_limits<unsigned>::max()).first_delay(1s).cap(10s).blur(jitter::full);
}

}  // namespace

shard_subscription::shard_subscription(starting_position start, std::optional<position> after, std::uint32_t seed)
    : start_(std::move(start)), after_(after), random_(seed) {}

std::uint64_t shard_subscription::random() { return std::uint64_t{random_()} << 31 | random_(); }

bool shard_subscription::knows_only_the_tip() const noexcept {
  return !accepted_ && !after_ && continuation_.empty() && start_.which() == starting_position::type::latest;
}

std::optional<position> shard_subscription::reached() const noexcept {
  constexpr std::uint64_t behind_all = (std::uint64_t{1} << 61) - 1;  // that came in one record
  if (!accepted_) return after_;
  position const& last = *accepted_;
  return position(last[0], last[1], last[2], behind_all);
}

starting_position shard_subscription::start() const {
  if (tip_at_ && start_.which() == starting_position::type::latest) return starting_position::at(*tip_at_);
  return start_;
}

starting_position shard_subscription::from() const {
  if (!continuation_.empty()) return starting_position::after(continuation_);
  if (accepted_) return starting_position::after(sequence_number_of(*accepted_));
  if (after_) return starting_position::at(sequence_number_of(*after_));
  return start();
}

subscription_step shard_subscription::next(instant now) {
  if (now < due_) return subscription_step::wait(due_);
  if (ended_) return subscription_step::end();
  asked_at_ = now;
  due_ = now;
  return subscription_step::subscribe(from());
}

void shard_subscription::subscribed(instant now, std::chrono::nanoseconds ahead) {
  heard_ = false;
  if (!tip_at_) tip_at_ = asked_at_ + ahead.count();
  due_ = now + between_subscriptions;
}

void shard_subscription::got_event(record_batch& event, instant now) {
  heard_ = true;
  failures_ = 0;
  auto const known = [&](record_view const& r) { return accepted_ && r.position <= *accepted_; };
  event.records.erase(event.records.begin(), std::ranges::find_if_not(event.records, known));
  if (!event.records.empty()) accepted_ = event.records.back().position;
  idle_ = event.records.empty() && event.behind.value_or(std::chrono::milliseconds(0)) <= std::chrono::milliseconds(0);
  ended_ = event.continuation.empty();
  auto const at = position_of(event.continuation);
  bool const usable = at && event.continuation != "0" && (!accepted_ || *accepted_ <= *at);
  continuation_ = usable ? event.continuation : std::string();
  if (ended_) due_ = now;
}

void shard_subscription::pause(instant now) {
  ++failures_;
  due_ = std::max(due_, now + std::max(between_calls, instant{between_refusals().delay(failures_, random())->count()}));
}

void shard_subscription::ended(instant now) {
  if (ended_) return;
  idle_ = false;
  if (!heard_) pause(now);
}

void shard_subscription::not_ended(instant now) {
  ended_ = false;
  pause(now);
}

bool shard_subscription::failed(std::error_code const& why, instant now) {
  idle_ = false;
  bool const refused = why == errc::invalid_argument || why == condition::not_found;
  if (refused && !continuation_.empty()) {  // it was odd; if it is the stream that is gone, that is said once more
    continuation_.clear();
    due_ = std::max(due_, now + between_calls);
    return true;
  }
  if (why == errc::resource_in_use) {
    ++failures_;
    due_ = now + between_subscriptions + static_cast<instant>(random() % static_cast<std::uint64_t>(second + 1));
    return true;
  }
  bool const from_time_to_come =
      why == errc::invalid_argument && knows_only_the_tip() && tip_at_ && now - *tip_at_ < tip_is_surely_past;  // the clocks differ
  if (!from_time_to_come && why != condition::retryable && why != weir::errc::corrupt) return false;
  pause(now);
  return true;
}

}  // namespace weir::kinesis
