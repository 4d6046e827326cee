#include <weir/dynamodb/client.hpp>

#include <weir/aws/credentials_chain.hpp>
#include <weir/aws/json_client.hpp>
#include <weir/aws/service_error.hpp>
#include <weir/dynamodb/detail/json_in.hpp>
#include <weir/dynamodb/detail/request_json.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

namespace weir::dynamodb {
namespace {

constexpr std::size_t most_in_batch = 25;
constexpr std::chrono::milliseconds look_again = std::chrono::milliseconds(500);

aws::service const this_service{"dynamodb", "dynamodb"};

aws::credentials_cache keys_of(client_options const& o) {
  if (o.credentials) return *o.credentials;
  return aws::credentials_cache(aws::credentials_chain::standard(o.from));
}

aws::retry_settings retries_of(client_options const& o) {
  retry_policy const usual = retry_policy().attempts(10).first_delay(std::chrono::milliseconds(50));
  return aws::resolve_retries(o.retry_mode, o.retry, usual, o.where.profile, o.from);
}

aws::json_client_options calls_of(client_options const& o, aws::endpoint where) {
  aws::json_client_options out;
  out.of = this_service;
  out.target = "DynamoDB_20120810";
  out.content_type = "application/x-amz-json-1.0";
  out.where = std::move(where);
  out.retry = retries_of(o);
  out.http = o.http;
  return out;
}

error failure_of(aws::service_error const& e, std::string const& operation) {
  std::string failed = "dynamodb: " + operation + " failed";
  bool const busy = e.code == "ResourceInUseException" || e.code == "TransactionConflictException";
  // That an item is too large is said by a text alone.
  bool const large = e.code == "ValidationException" && e.message.find("maximum allowed size") != std::string::npos;
  if (!busy && !large) return aws::to_error(e, std::move(failed));
  error out(busy ? errc::busy : errc::too_large, std::move(failed), e.code + ": " + e.message);
  if (!e.request_id.empty()) out.with_request_id(e.request_id);
  return out;
}

write_outcome to_outcome(aws::json_answer const& answer) {
  write_outcome out;
  out.done = !answer.refusal;
  if (answer.refusal) out.found = detail::read_item(answer.body);
  return out;
}

bool for_a_condition(std::vector<cancellation_reason> const& reasons) {
  return std::ranges::any_of(reasons, [](cancellation_reason const& r) { return r.code == "ConditionalCheckFailed"; });
}

std::string text_of(std::vector<cancellation_reason> const& reasons) {
  std::string out;
  for (cancellation_reason const& r : reasons)
    if (r.code != "None") out += (out.empty() ? "" : ", ") + r.code + (r.message.empty() ? "" : ": " + r.message);
  return out;
}

}  // namespace

struct client::parts {
  explicit parts(client_options const& o)
      : where(aws::resolve(this_service, o.where, o.from)), calls(calls_of(o, where), keys_of(o)), retry(retries_of(o).policy) {}

  // What DynamoDB answers; a refusal only where it is the one that is `expected`.
  static task<aws::json_answer> ask(std::shared_ptr<parts> self, std::string operation, std::string body, std::string table,
                                    std::string expected = {}) {
    try {
      aws::json_answer out = co_await self->calls.ask(operation, std::move(body));
      if (!out.refusal || out.refusal->code == expected) co_return out;
      throw failure_of(*out.refusal, operation).with_detail("in " + self->where.region);
    } catch (error& e) {
      if (!table.empty()) e.with_detail("table " + table);
      throw;
    }
  }

  static task<write_outcome> write(std::shared_ptr<parts> self, std::string operation, std::string body, std::string table) {
    aws::json_answer const answer =
        co_await ask(std::move(self), std::move(operation), std::move(body), std::move(table), "ConditionalCheckFailedException");
    co_return to_outcome(answer);
  }

  static task<page> read(std::shared_ptr<parts> self, std::string operation, std::string body, std::string table) {
    aws::json_answer const answer = co_await ask(std::move(self), std::move(operation), std::move(body), std::move(table));
    co_return detail::read_page(answer.body);
  }

  static task<bool> create_table(std::shared_ptr<parts> self, table_definition t) {
    aws::json_answer const answer = co_await ask(std::move(self), "CreateTable", detail::json_of(t), t.name, "ResourceInUseException");
    co_return !answer.refusal;
  }

  static task<std::optional<table_status>> describe_table(std::shared_ptr<parts> self, std::string name) {
    aws::json_answer const answer =
        co_await ask(std::move(self), "DescribeTable", detail::json_of_table(name), name, "ResourceNotFoundException");
    if (answer.refusal) co_return std::nullopt;
    co_return detail::read_table(answer.body);
  }

  static task<table_status> wait_until_usable(std::shared_ptr<parts> self, std::string name, std::chrono::nanoseconds longest) {
    context& own = co_await current_context();
    instant const begun = own.clock().now();
    for (;;) {
      std::optional<table_status> found = co_await describe_table(self, name);
      if (found && found->usable()) co_return *std::move(found);
      if (own.clock().now() - begun >= longest.count())
        throw error(errc::timed_out, "dynamodb: a table cannot be used", found ? "it is " + found->status : "it does not exist")
            .with_detail("table " + name);
      co_await sleep_for(look_again);
    }
  }

  static task<bool> delete_table(std::shared_ptr<parts> self, std::string name) {
    aws::json_answer const answer =
        co_await ask(std::move(self), "DeleteTable", detail::json_of_table(name), name, "ResourceNotFoundException");
    co_return !answer.refusal;
  }

  static task<std::optional<item>> get(std::shared_ptr<parts> self, std::string table, item key) {
    aws::json_answer const answer = co_await ask(std::move(self), "GetItem", detail::json_of_get(table, key), table);
    co_return detail::read_item(answer.body);
  }

  // What it leaves unprocessed waits its turn behind the rest; only where a call gets nothing done at all, it is waited.
  static task<> write_all(std::shared_ptr<parts> self, std::string table, std::vector<batch_write> writes) {
    std::vector<std::string> rest;
    rest.reserve(writes.size());
    for (batch_write const& w : writes) rest.push_back(detail::json_of(w));
    unsigned idle = 0;
    while (!rest.empty()) {
      auto const end = rest.begin() + static_cast<std::ptrdiff_t>(std::min(rest.size(), most_in_batch));
      std::vector<std::string> const now(std::make_move_iterator(rest.begin()), std::make_move_iterator(end));
      rest.erase(rest.begin(), end);
      aws::json_answer const answer = co_await ask(self, "BatchWriteItem", detail::json_of_batch(table, now), table);
      std::vector<std::string> left = detail::read_unprocessed(answer.body, table);
      idle = left.size() < now.size() ? 0 : idle + 1;
      rest.insert(rest.end(), std::make_move_iterator(left.begin()), std::make_move_iterator(left.end()));
      if (idle != 0) co_await back_off(*self, table, idle);
    }
  }

  static task<> back_off(parts& self, std::string table, unsigned times) {
    auto const busy = std::make_exception_ptr(
        error(errc::throttled, "dynamodb: BatchWriteItem failed", "nothing of it was processed", "write less often, or raise the limit")
            .with_detail("table " + table)
            .with_detail("after " + std::to_string(times) + " tries"));
    auto const delay = self.retry.after(busy, times);
    if (!delay) std::rethrow_exception(busy);
    co_await sleep_for(*delay);
  }

  static task<transaction_outcome> transact(std::shared_ptr<parts> self, std::vector<transaction_write> writes, std::string token) {
    transaction_outcome out;
    for (unsigned failed = 1;; ++failed) {
      aws::json_answer const answer =
          co_await ask(self, "TransactWriteItems", detail::json_of(writes, token), "", "TransactionCanceledException");
      out.done = !answer.refusal;
      if (out.done) co_return out;
      out.reasons = detail::read_reasons(answer.body);
      if (for_a_condition(out.reasons)) co_return out;
      auto const why = std::make_exception_ptr(error(errc::busy, "dynamodb: TransactWriteItems failed", text_of(out.reasons))
                                                   .with_detail("after " + std::to_string(failed) + " tries"));
      auto const delay = self->retry.after(why, failed);
      if (!delay) std::rethrow_exception(why);
      co_await sleep_for(*delay);
    }
  }

  aws::endpoint const where;
  aws::json_client const calls;
  retry_policy const retry;
};

client::client(client_options options) : parts_(std::make_shared<parts>(options)) {}

task<bool> client::create_table(table_definition t) const { return parts::create_table(parts_, std::move(t)); }
task<std::optional<table_status>> client::describe_table(std::string name) const { return parts::describe_table(parts_, std::move(name)); }
task<table_status> client::wait_until_usable(std::string name, std::chrono::nanoseconds longest) const {
  return parts::wait_until_usable(parts_, std::move(name), longest);
}
task<bool> client::delete_table(std::string name) const { return parts::delete_table(parts_, std::move(name)); }

task<std::optional<item>> client::get(std::string table, item key) const { return parts::get(parts_, std::move(table), std::move(key)); }
task<write_outcome> client::put(put_request r) const { return parts::write(parts_, "PutItem", detail::json_of(r), r.table); }
task<write_outcome> client::update(update_request r) const { return parts::write(parts_, "UpdateItem", detail::json_of(r), r.table); }
task<write_outcome> client::erase(delete_request r) const { return parts::write(parts_, "DeleteItem", detail::json_of(r), r.table); }

task<page> client::query(query_request r) const { return parts::read(parts_, "Query", detail::json_of(r), r.table); }
task<page> client::scan(scan_request r) const { return parts::read(parts_, "Scan", detail::json_of(r), r.table); }

task<> client::write_all(std::string table, std::vector<batch_write> writes) const {
  return parts::write_all(parts_, std::move(table), std::move(writes));
}
task<transaction_outcome> client::transact(std::vector<transaction_write> writes, std::string token) const {
  return parts::transact(parts_, std::move(writes), std::move(token));
}

std::string const& client::url() const noexcept { return parts_->where.url; }

}  // namespace weir::dynamodb
