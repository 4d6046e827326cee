#include <weir/aws/json_client.hpp>

#include <weir/aws/clock_skew.hpp>
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

}  // namespace

struct json_client::parts {
  parts(json_client_options o, credentials_cache k) : options(std::move(o)), keys(std::move(k)), http(options.http) {}

  task<outcome> try_once(net::request r) {
    context const& own = co_await current_context();
    credentials const by = co_await keys.get();
    instant const at = skew.corrected(own.clock().now());
    sign(r, by, {options.where.region, options.of.host}, at);
    outcome out;
    out.answer = co_await http.send(std::move(r));
    out.refusal = read_service_error(out.answer);
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
};

json_client::json_client(json_client_options options, credentials_cache keys)
    : parts_(std::make_shared<parts>(std::move(options), std::move(keys))) {}

task<std::string> json_client::call(std::string operation, std::string body) const {
  return call_by(parts_, std::move(operation), std::move(body));
}

task<json_answer> json_client::ask(std::string operation, std::string body) const {
  return ask_by(parts_, std::move(operation), std::move(body), refusals::answers);
}

task<std::string> json_client::call_by(std::shared_ptr<parts> p, std::string operation, std::string body) {
  json_answer answer = co_await ask_by(std::move(p), std::move(operation), std::move(body), refusals::thrown);
  co_return std::move(answer.body);
}

task<json_answer> json_client::ask_by(std::shared_ptr<parts> p, std::string operation, std::string body, refusals are) {
  json_client_options const& o = p->options;
  net::request r("POST", o.where.url + '/', std::move(body));
  r.headers.add("Content-Type", o.content_type).add("X-Amz-Target", o.target + '.' + operation);
  bool corrected = false;
  for (unsigned failed = 1;; ++failed) {
    std::exception_ptr failure;
    try {
      outcome out = co_await p->try_once(r);
      if (!out.refusal || (are == refusals::answers && is_final(*out.refusal)))
        co_return json_answer(std::move(out.answer.body), std::move(out.refusal));
      if (out.again_at_once && !std::exchange(corrected, true)) {
        --failed;
        continue;
      }
      auto const own = o.own_code ? o.own_code(out.refusal->code) : std::nullopt;
      throw to_error(*out.refusal, o.of.id + ": " + operation + " failed", own);
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      e.with_detail(o.of.id + ' ' + operation + " in " + o.where.region);
      if (failed != 1) e.with_detail("after " + std::to_string(failed) + " tries");
      failure = std::current_exception();
    }
    auto const delay = o.retry.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    co_await sleep_for(*delay);
  }
}

}  // namespace weir::aws
