#include <weir/webhook/receiver.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/url.hpp>
#include <weir/sleep.hpp>
#include <weir/webhook/answer.hpp>
#include <weir/webhook/idempotency_key.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace weir::webhook {
namespace {

[[noreturn]] void refuse(std::string why, std::string advice = {}) {
  throw error(errc::invalid_option, "webhook: cannot make a sink", std::move(why), std::move(advice));
}

options checked(options o) {
  if (o.most_rows == 0) refuse("most_rows is 0");
  if (o.most_bytes == 0) refuse("most_bytes is 0");
  if (o.longest_retry_after < o.longest_retry_after.zero()) refuse("longest_retry_after is below zero");
  for (char const* const ours : {"Content-Type", "Idempotency-Key", "webhook-id", "webhook-timestamp", "webhook-signature"})
    if (o.headers.find(ours)) refuse("the header " + std::string(ours) + " is the sink's own");
  return o;
}

std::string origin_of(std::string const& text) {
  auto const parsed = net::url::parse(text);
  if (!parsed) refuse("the URL " + std::string(to_string(parsed.error())), "write https://example.com/hook");
  return parsed->origin();
}

class batches_write final : public outside_write {
public:
  batches_write(std::shared_ptr<receiver const> to, std::vector<batch> batches) noexcept
      : to_(std::move(to)), batches_(std::move(batches)) {}

  task<> write(checkpoint_key of, std::uint64_t commit) override {
    for (; taken_ != batches_.size(); ++taken_) {
      batch const& b = batches_[taken_];
      std::string key = b.identity.empty() ? key_of_batch(of, to_->chosen().url + ' ' + to_->chosen().name, commit, taken_, b.body)
                                           : key_of_row(of.pipeline, to_->chosen().url + ' ' + to_->chosen().name, b.identity);
      co_await to_->deliver(std::move(key), b);
    }
  }

  bool join(outside_write& later) override {
    auto* const other = dynamic_cast<batches_write*>(&later);
    if (!other || other->to_ != to_) return false;
    std::ranges::move(other->batches_, std::back_inserter(batches_));
    return true;
  }

private:
  std::shared_ptr<receiver const> to_;
  std::vector<batch> batches_;
  std::size_t taken_ = 0;
};

}  // namespace

receiver::receiver(options o)
    : options_(checked(std::move(o))), signer_(options_.secrets), origin_(origin_of(options_.url)), client_(options_.http) {}

std::shared_ptr<outside_write> receiver::write(std::shared_ptr<receiver const> to, std::vector<batch> batches) {
  return std::make_shared<batches_write>(std::move(to), std::move(batches));
}

task<> receiver::deliver(std::string key, batch const& b) const {
  for (unsigned failed = 1;; ++failed) {
    std::chrono::nanoseconds asked_to_wait{};
    std::exception_ptr failure;
    try {
      co_await try_once(key, b, asked_to_wait);
      co_return;
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      if (failed != 1) e.with_detail("after " + std::to_string(failed) + " tries");
      failure = std::current_exception();
    }
    auto const delay = options_.retry.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    co_await sleep_for(std::max(*delay, asked_to_wait));
  }
}

task<> receiver::try_once(std::string const& key, batch const& b, std::chrono::nanoseconds& asked_to_wait) const {
  context& own = co_await current_context();
  net::request r("POST", options_.url, b.body);
  r.headers = options_.headers;
  r.headers.add("Content-Type", options_.form == body_form::array || !b.identity.empty() ? "application/json" : "application/x-ndjson");
  r.headers.add("Idempotency-Key", key);
  if (!signer_.empty()) {
    std::int64_t const seconds = own.clock().now() / 1'000'000'000;
    r.headers.add("webhook-id", key);
    r.headers.add("webhook-timestamp", std::to_string(seconds));
    r.headers.add("webhook-signature", signer_.sign(key, seconds, b.body));
  }
  net::response answer;
  try {
    answer = co_await client_.send(std::move(r));
  } catch (error const& e) {
    // These would be blamed on the rows, which have no part in what the receiver's server is.
    if (e.code() != errc::malformed && e.code() != errc::too_large) throw;
    throw error(errc::unavailable, "webhook: the receiver does not answer as it should", e.what());
  }
  if (auto const failure = failure_in(answer)) {
    asked_to_wait = wait_asked_for(answer, own.clock().now(), options_.longest_retry_after);
    throw error(*failure).with_request_id(key).with_detail(origin_);
  }
}

}  // namespace weir::webhook
