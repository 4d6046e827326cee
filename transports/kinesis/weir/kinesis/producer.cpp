#include <weir/kinesis/producer.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/detail/put_queue.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace weir::kinesis {
namespace {

[[noreturn]] void refuse(std::string why, std::string advice = {}) {
  throw error(weir::errc::invalid_option, "kinesis: cannot make a producer", std::move(why), std::move(advice));
}

producer_options checked(producer_options o) {
  constexpr std::size_t largest = std::size_t{10} * 1024 * 1024;
  if (o.stream.empty()) refuse("it has no stream", "name one: {.stream = \"bars\"}");
  if (o.most_records == 0 || o.most_records > 500) refuse("most_records is not 1 to 500");
  if (o.most_bytes == 0 || o.most_bytes > largest) refuse("most_bytes is not 1 byte to 10 MiB");
  if (o.most_record_bytes == 0 || o.most_record_bytes > largest) refuse("most_record_bytes is not 1 byte to 10 MiB");
  o.client.retry = retry_policy().attempts(1);
  return o;
}

// Of the records that were not taken, the one that says most: for which it is of no use to try again, else the first.
error failure_of(std::vector<put_result> const& results, std::size_t taken) {
  auto const hopeless = [](put_result const& r) { return r.failure && r.failure != condition::retryable; };
  auto found = std::ranges::find_if(results, hopeless);
  if (found == results.end()) found = std::ranges::find_if(results, [](put_result const& r) { return bool(r.failure); });
  std::string advice = found->failure == condition::throttled ? "put less, or give the stream more shards" : "";
  return error(found->failure, "kinesis: cannot put records", found->why, std::move(advice))
      .with_detail(std::to_string(results.size() - taken) + " of " + std::to_string(results.size()) + " were not taken");
}

}  // namespace

struct producer::parts {
  explicit parts(producer_options o) : how(checked(std::move(o))), calls(how.client) {}

  detail::put_queue queue_of(std::vector<outgoing_record> records) const {
    detail::put_queue q(how);
    for (outgoing_record& r : records) q.add(std::move(r));
    return q;
  }

  task<std::vector<put_result>> put_next(detail::put_queue& q) const {
    try {
      co_return co_await calls.put_records(how.stream, q.next());
    } catch (error const& e) {
      if (e.code() == errc::invalid_argument)
        throw error(weir::errc::rejected, "kinesis: the service refuses the records", e.what(),
                    "see that most_record_bytes is the stream's");
      // These would be blamed on the records, which have no part in what the reply is.
      if (e.code() != weir::errc::malformed && e.code() != weir::errc::too_large) throw;
      throw error(weir::errc::unavailable, "kinesis: the service does not answer as it should", e.what());
    }
  }
  // `q` outlives the task. When it fails, `q` has what was not taken.
  task<> put_all(detail::put_queue& q) const {
    unsigned failed = 0;
    while (!q.empty()) {
      std::exception_ptr failure;
      try {
        std::vector<put_result> const results = co_await put_next(q);
        std::size_t const taken = q.settle(results);
        if (taken != 0) failed = 0;
        if (taken == results.size()) continue;
        throw failure_of(results, taken).with_stream(how.stream);
      } catch (error& e) {
        if (e.code() == condition::cancelled) throw;
        if (++failed != 1) e.with_detail("after " + std::to_string(failed) + " tries");
        failure = std::current_exception();
      }
      auto const delay = how.retry.after(failure, failed);
      if (!delay) std::rethrow_exception(failure);
      co_await sleep_for(*delay);
    }
  }
  static task<> put_only(std::shared_ptr<parts> p, detail::put_queue q) { co_await p->put_all(q); }

  producer_options const how;
  client const calls;
};

class producer::records_write final : public outside_write {
public:
  records_write(std::shared_ptr<parts> to, detail::put_queue queue) : to_(std::move(to)), queue_(std::move(queue)) {}

  task<> write(checkpoint_key, std::uint64_t) override { return to_->put_all(queue_); }
  bool join(outside_write& later) override {
    auto* const other = dynamic_cast<records_write*>(&later);
    if (!other || other->to_ != to_) return false;
    queue_.append(std::move(other->queue_));
    return true;
  }

private:
  std::shared_ptr<parts> to_;
  detail::put_queue queue_;
};

producer::producer(producer_options o) : parts_(std::make_shared<parts>(std::move(o))) {}

task<> producer::put(std::vector<outgoing_record> records) const { return parts::put_only(parts_, parts_->queue_of(std::move(records))); }

std::shared_ptr<outside_write> producer::write(std::vector<outgoing_record> records) const {
  return std::make_shared<records_write>(parts_, parts_->queue_of(std::move(records)));
}

}  // namespace weir::kinesis
