#include <weir/aws/json_client.hpp>

#include <weir/aws/clock_skew.hpp>
#include <weir/aws/detail/asked_delay.hpp>
#include <weir/aws/detail/retry_budget.hpp>
#include <weir/aws/detail/sending_rate.hpp>
#include <weir/aws/service_error.hpp>
#include <weir/aws/signing.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/http_client.hpp>
#include <weir/sleep.hpp>

#include <zlib.h>

#include <charconv>
#include <exception>
#include <optional>

namespace weir::aws {
namespace {

// What a try has come to.
struct outcome {
  net::response answer;
  std::optional<service_error> refusal;
  bool again_at_once = false;
};

void check_whole(net::response const& answer) {
  auto const header = answer.headers.find("x-amz-crc32");
  if (!header) return;
  unsigned long expected = 0;
  std::from_chars(header->data(), header->data() + header->size(), expected);
  auto const found = ::crc32_z(0, reinterpret_cast<unsigned char const*>(answer.body.data()), answer.body.size());
  if (found != expected) throw error(errc::unavailable, "aws: no whole reply", "its checksum (x-amz-crc32) is wrong");
}

// The same request would get the same answer.
bool is_final(service_error const& e) noexcept {
  service_error_kind const kind = kind_of(e);
  return kind == service_error_kind::refused || kind == service_error_kind::not_found;
}

[[noreturn]] void give_up(std::exception_ptr const& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (error& e) {
    e.with_detail("not tried again: too many retries have failed lately");
    throw;
  }
}

}  // namespace

struct json_client::parts {
  parts(json_client_options o, credentials_cache k) : options(std::move(o)), keys(std::move(k)), http(options.http) {}

  task<outcome> try_once(net::request r) {
    context const& own = co_await current_context();
    bool const adaptive = options.retry.mode == retry_mode::adaptive;
    std::optional<detail::sending_rate::turn> turn;
    if (adaptive) {
      turn.emplace(rate, own.clock().now());
      co_await sleep_for(turn->wait());
    }
    credentials const by = co_await keys.get();
    instant const at = skew.corrected(own.clock().now());
    sign(r, by, {options.where.region, options.of.host}, at);
    if (turn) turn->sent();
    outcome out;
    out.answer = co_await http.send(std::move(r));
    skew.hear(out.answer.headers, own.clock().now());
    out.refusal = read_service_error(out.answer);
    if (adaptive) rate.answered(out.refusal && kind_of(*out.refusal) == service_error_kind::throttled, own.clock().now());
    if (!out.refusal) {
      check_whole(out.answer);
      co_return out;
    }
    if (kind_of(*out.refusal) == service_error_kind::expired_token) {
      keys.drop(by);
      out.again_at_once = true;
    } else {
      out.again_at_once = skew.learn(out.answer, at, own.clock().now());
    }
    co_return out;
  }

  json_client_options const options;
  credentials_cache const keys;
  net::http_client const http;
  clock_skew skew;
  detail::retry_budget budget;
  detail::sending_rate rate;
};

json_client::json_client(json_client_options options, credentials_cache keys)
    : parts_(std::make_shared<parts>(std::move(options), std::move(keys))) {}

task<std::string> json_client::call(std::string operation, std::string body) const {
  return call_by(parts_, std::move(operation), std::move(body));
}

task<json_answer> json_client::ask(std::string operation, std::string body) const {
  return ask_by(parts_, std::move(operation), std::move(body), refusals::answers);
}

std::chrono::nanoseconds json_client::clock_ahead() const noexcept { return parts_->skew.at_least(); }

task<std::string> json_client::call_by(std::shared_ptr<parts> p, std::string operation, std::string body) {
  json_answer answer = co_await ask_by(std::move(p), std::move(operation), std::move(body), refusals::thrown);
  co_return std::move(answer.body);
}

task<json_answer> json_client::ask_by(std::shared_ptr<parts> p, std::string operation, std::string body, refusals are) {
  json_client_options const& o = p->options;
  net::request r("POST", o.where.url + '/', std::move(body));
  r.headers.add("Content-Type", o.content_type).add("X-Amz-Target", o.target + '.' + operation);
  context const& own = co_await current_context();
  bool corrected = false;
  unsigned taken = 0;  // of the budget, for this try
  for (unsigned failed = 1;; ++failed) {
    std::exception_ptr failure;
    net::headers said;
    bool timed_out = false;
    try {
      outcome out = co_await p->try_once(r);
      if (!out.refusal) p->budget.give_back(taken == 0 ? detail::retry_budget::of_success : taken);
      if (!out.refusal || (are == refusals::answers && is_final(*out.refusal)))
        co_return json_answer(std::move(out.answer.body), std::move(out.refusal));
      if (out.again_at_once && !std::exchange(corrected, true)) {
        --failed;
        continue;
      }
      said = std::move(out.answer.headers);
      auto const own_code = o.own_code ? o.own_code(out.refusal->code) : std::nullopt;
      throw to_error(*out.refusal, o.of.id + ": " + operation + " failed", own_code);
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      e.with_detail(o.of.id + ' ' + operation + " in " + o.where.region);
      if (failed != 1) e.with_detail("after " + std::to_string(failed) + " tries");
      timed_out = e.code() == errc::timed_out;
      failure = std::current_exception();
    }
    auto const delay = o.retry.policy.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    if (o.retry.mode != retry_mode::legacy) {
      taken = timed_out ? detail::retry_budget::of_retry_behind_timeout : detail::retry_budget::of_retry;
      if (!p->budget.take(taken)) give_up(failure);
    }
    co_await sleep_for(detail::asked_delay(said, *delay, own.clock().now()));
  }
}

}  // namespace weir::aws
