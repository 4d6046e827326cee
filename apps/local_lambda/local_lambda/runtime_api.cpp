#include "runtime_api.hpp"

#include <weir/net/base64.hpp>
#include <command_line/json_text.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace local_lambda {
namespace {

using weir::net::request;
using weir::net::response;

constexpr std::string_view base = "/2018-06-01/runtime/";
constexpr std::string_view error_type = "Lambda-Runtime-Function-Error-Type", error_body = "Lambda-Runtime-Function-Error-Body";

response reply(unsigned status, std::string body) {
  response out;
  out.status = status;
  out.headers.add("Content-Type", "application/json");
  out.body = std::move(body);
  return out;
}
response accepted() { return reply(202, "{\"status\":\"OK\"}\n"); }
response refused(unsigned status, std::string_view type, std::string_view why) {
  return reply(status,
               fmt::format(R"({{"errorMessage":{},"errorType":{}}})", command_line::json_string(why), command_line::json_string(type)));
}

std::string failure_in(request const& ask, std::string_view body) {
  std::string out(ask.headers.find(error_type).value_or("Error"));
  if (!body.empty()) out.append(": ").append(body);
  return out;
}

bool is_streamed(request const& ask) { return ask.headers.find("Lambda-Runtime-Function-Response-Mode") == "streaming"; }

}  // namespace

void runtime_api::restart() {
  now_ = state::idle;
  asked_ = start_failed_ = false;
  ++process_;
}

void runtime_api::invoke(std::string payload, std::chrono::nanoseconds timeout) {
  request_id_ = fmt::format("00000000-0000-4000-8000-{:012}", ++count_);
  payload_ = std::move(payload);
  timeout_ = timeout;
  begun_.reset();
  end_.reset();
  now_ = state::offered;
}

std::optional<response> runtime_api::take(request const& ask, weir::instant now) {
  std::string_view path = ask.url;
  bool const ours = path.starts_with(base);
  if (ours) path.remove_prefix(base.size());
  if (ours && ask.method == "GET" && path == "invocation/next") {
    asked_ = true;
    if (now_ == state::idle) return std::nullopt;
    if (now_ == state::offered) return hand_out(now);
    return refused(403, "InvalidStateTransition", "the last invocation has not been answered");
  }
  if (ours && ask.method == "POST" && path == "init/error") return fail_start(ask);
  if (ours && ask.method == "POST" && path.starts_with("invocation/")) {
    path.remove_prefix(std::string_view("invocation/").size());
    bool const failed = path.ends_with("/error");
    if (failed || path.ends_with("/response")) {
      if (path.substr(0, path.rfind('/')) != request_id_) return refused(400, "InvalidRequestID", "there is no such invocation");
      if (now_ != state::running) return refused(403, "InvalidStateTransition", "the invocation has ended");
      return finish(ask, failed);
    }
  }
  return refused(404, "NotFound", "the Runtime API has no such resource");
}

response runtime_api::hand_out(weir::instant now) {
  now_ = state::running;
  begun_ = now;
  response out = reply(200, std::move(payload_));
  constexpr weir::instant millisecond = 1'000'000, second = 1'000'000'000;
  out.headers.add("Lambda-Runtime-Aws-Request-Id", request_id_);
  out.headers.add("Lambda-Runtime-Deadline-Ms", std::to_string((now + timeout_.count()) / millisecond));
  out.headers.add("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:123456789012:function:local");
  out.headers.add("Lambda-Runtime-Trace-Id", fmt::format("Root=1-{:08x}-{:024x};Sampled=0", now / second, count_));
  return out;
}

response runtime_api::finish(request const& ask, bool failed) {
  auto const mode = ask.headers.find("Lambda-Runtime-Function-Response-Mode");
  if (!failed && mode && !is_streamed(ask)) return refused(400, "InvalidFunctionResponseMode", "the response mode can only be streaming");
  now_ = state::idle;
  invocation_end& e = end_.emplace();
  std::size_t const most = is_streamed(ask) ? most_streamed : most_answer;
  if (ask.body.size() > most) {
    e.failure = fmt::format("Function.ResponseSizeTooLarge: it has {} bytes, and may have {}", ask.body.size(), most);
    return refused(413, "RequestEntityTooLarge", e.failure);
  }
  if (failed) {
    e.failure = failure_in(ask, ask.body);
  } else if (ask.headers.find(error_type)) {  // a trailer
    std::string const encoded(ask.headers.find(error_body).value_or(""));
    e.answer = ask.body;
    e.failure = failure_in(ask, weir::net::from_base64(encoded).value_or(encoded));
  } else {
    e.succeeded = true;
    e.answer = ask.body;
  }
  return accepted();
}

response runtime_api::fail_start(request const& ask) {
  if (asked_) return refused(403, "InvalidStateTransition", "the function has started");
  start_failed_ = true;
  end_.emplace().failure = failure_in(ask, ask.body);
  return accepted();
}

}  // namespace local_lambda
