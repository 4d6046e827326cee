#include <weir/lambda/runtime_client.hpp>

#include <weir/aws/json_string.hpp>
#include <weir/aws/variables.hpp>
#include <weir/context.hpp>
#include <weir/detail/failure_parts.hpp>
#include <weir/error.hpp>
#include <weir/net/base64.hpp>
#include <weir/net/streamed_request.hpp>
#include <weir/sleep.hpp>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

namespace weir::lambda {
namespace {

std::string address_of(std::string given) {
  if (given.empty()) given = aws::process_variables()("AWS_LAMBDA_RUNTIME_API").value_or("");
  if (!given.empty()) return given;
  throw error(errc::invalid_option, "lambda: cannot start", "AWS_LAMBDA_RUNTIME_API is not set, so this is no function of Lambda",
              "run it as the bootstrap of a function, or under the Runtime Interface Emulator");
}

net::http_options waiting() {
  net::http_options o;
  o.request_timeout = std::chrono::hours(24 * 365);
  o.idle_timeout = std::chrono::hours(24);  // it is the same machine
  o.most_body = std::size_t{32} * 1024 * 1024;
  return o;
}
net::http_options posting(std::chrono::milliseconds timeout) {
  net::http_options o = waiting();
  o.request_timeout = timeout;
  return o;
}

std::string text_of(net::response const& r, std::string_view header) { return std::string(r.headers.find(header).value_or("")); }

std::optional<instant> deadline_of(std::string_view milliseconds) {
  std::int64_t at = 0;
  auto const [end, failed] = std::from_chars(milliseconds.data(), milliseconds.data() + milliseconds.size(), at);
  constexpr std::int64_t most = INT64_MAX / 1'000'000;
  if (failed != std::errc() || end != milliseconds.data() + milliseconds.size() || at <= 0 || at > most) return std::nullopt;
  return at * 1'000'000;
}

invocation invocation_of(net::response r) {
  invocation out;
  out.request_id = text_of(r, "Lambda-Runtime-Aws-Request-Id");
  if (out.request_id.empty()) {
    throw error(errc::malformed, "lambda: cannot take an invocation", "the reply has no Lambda-Runtime-Aws-Request-Id",
                "is it the Runtime API that AWS_LAMBDA_RUNTIME_API leads to?");
  }
  out.deadline = deadline_of(text_of(r, "Lambda-Runtime-Deadline-Ms"));
  out.function_arn = text_of(r, "Lambda-Runtime-Invoked-Function-Arn");
  out.trace_id = text_of(r, "Lambda-Runtime-Trace-Id");
  out.client_context = text_of(r, "Lambda-Runtime-Client-Context");
  out.cognito_identity = text_of(r, "Lambda-Runtime-Cognito-Identity");
  out.tenant_id = text_of(r, "Lambda-Runtime-Aws-Tenant-Id");
  out.payload = std::move(r.body);
  return out;
}

[[noreturn]] void give_up(char const* what, std::string why, unsigned tries) {
  throw error(errc::unavailable, std::string("lambda: cannot ") + what, std::move(why),
              "the process has to end; the service starts another one and delivers the records again")
      .with_detail("after " + std::to_string(tries) + (tries == 1 ? " try" : " tries"));
}

[[noreturn]] void refuse(net::response const& r, char const* what) {
  bool const over = r.status >= 500;
  error e(over ? errc::unavailable : errc::rejected, std::string("lambda: cannot ") + what,
          "the Runtime API answers " + std::to_string(r.status) + (r.body.empty() ? "" : ": " + r.body.substr(0, 200)),
          "the process has to end; the service starts another one and delivers the records again");
  throw e;
}

std::string json_of(function_error const& e) {
  std::string out = R"({"errorMessage":)";
  aws::append_json_string(out, e.message);
  out += R"(,"errorType":)";
  aws::append_json_string(out, e.type);
  return out + R"(,"stackTrace":[]})";
}

// What becomes of a streamed answer.
struct pulling {
  bool begun = false;
  std::exception_ptr failure;
};

stream<std::string_view> told_of(stream<std::string_view>& answer, pulling& course) {
  course.begun = true;
  try {
    while (std::string_view const* const piece = co_await answer.next()) co_yield *piece;
  } catch (...) {
    course.failure = std::current_exception();
    if (weir::detail::code_of(course.failure) == condition::cancelled) throw;
  }
}

net::headers trailers_of(pulling const& course) {
  net::headers out;
  if (!course.failure) return out;
  function_error const why("Weir.AnswerFailed", weir::detail::reason_of(course.failure));
  out.add("Lambda-Runtime-Function-Error-Type", why.type).add("Lambda-Runtime-Function-Error-Body", net::to_base64(json_of(why)));
  return out;
}

}  // namespace

runtime_client::runtime_client(runtime_client_options o)
    : base_("http://" + address_of(std::move(o.address)) + "/2018-06-01/runtime/"),
      retry_(std::move(o.retry)),
      waiting_(waiting()),
      posting_(posting(o.post_timeout)) {}

// Before it is tried again; where it is not, that is the error.
task<> runtime_client::wait_or_fail(std::exception_ptr failure, unsigned tries, char const* what) const {
  context const& own = co_await current_context();
  std::optional<std::chrono::nanoseconds> const delay = retry_.after(failure, tries);
  std::string const why = weir::detail::reason_of(failure);
  if (!delay) give_up(what, why, tries);
  own.log().warning("lambda: cannot " + std::string(what) + ", trying again: " + why);
  co_await sleep_for(*delay);
}

// `tries`: how many it took.
task<net::response> runtime_client::send(net::http_client by, net::request ask, char const* what, unsigned& tries) const {
  for (tries = 1;; ++tries) {
    std::exception_ptr failure;
    try {
      co_return co_await by.send(ask);
    } catch (error const& e) {
      if (e.code() == condition::cancelled) throw;
      failure = std::current_exception();
    }
    task<> waiting = wait_or_fail(std::move(failure), tries, what);
    co_await std::move(waiting);
  }
}

task<std::optional<invocation>> runtime_client::next() {
  unsigned tries = 0;
  net::request ask("GET", base_ + "invocation/next");
  task<net::response> asking = send(waiting_, std::move(ask), "take an invocation", tries);
  net::response answer = co_await std::move(asking);
  if (answer.status != 200) refuse(answer, "take an invocation");
  std::optional<invocation> out(invocation_of(std::move(answer)));
  co_return out;
}

task<> runtime_client::post(std::string path, std::string body, std::string type, char const* what) const {
  unsigned tries = 0;
  net::request ask("POST", base_ + path, std::move(body));
  ask.headers.add("Content-Type", "application/json");
  if (!type.empty()) ask.headers.add("Lambda-Runtime-Function-Error-Type", std::move(type));
  task<net::response> asking = send(posting_, std::move(ask), what, tries);
  net::response const answer = co_await std::move(asking);
  bool const arrived_before = tries > 1 && (answer.status == 400 || answer.status == 403);
  if (answer.status / 100 != 2 && !arrived_before) refuse(answer, what);
}

task<> runtime_client::respond(std::string request_id, std::string answer) {
  if (answer.size() > most_answer) {
    throw error(errc::too_large, "lambda: cannot answer",
                "the answer has " + std::to_string(answer.size()) + " bytes, and may have " + std::to_string(most_answer))
        .with_request_id(request_id);
  }
  task<> posting = post("invocation/" + request_id + "/response", std::move(answer), "", "answer");
  try {
    co_await std::move(posting);
  } catch (error& e) {
    e.with_request_id(request_id);
    throw;
  }
}

task<> runtime_client::respond(std::string request_id, streamed_answer answer) {
  try {
    pulling course;
    for (unsigned tries = 1;; ++tries) {
      net::streamed_request ask("POST", base_ + "invocation/" + request_id + "/response", told_of(answer.body, course));
      ask.headers.add("Content-Type", answer.content_type).add("Lambda-Runtime-Function-Response-Mode", "streaming");
      ask.headers.add("Trailer", "Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body");
      ask.trailers = [&course] { return trailers_of(course); };
      std::optional<net::response> reply;
      std::exception_ptr failure;
      try {
        task<net::response> asking = waiting_.send(std::move(ask));
        reply.emplace(co_await std::move(asking));
      } catch (error const& e) {
        if (e.code() == condition::cancelled) throw;
        failure = std::current_exception();
        if (course.begun) give_up("answer", weir::detail::reason_of(failure), tries);
      }
      if (reply && reply->status / 100 != 2) refuse(*reply, "answer");
      if (reply) break;
      task<> waiting = wait_or_fail(std::move(failure), tries, "answer");
      co_await std::move(waiting);
    }
    if (course.failure) {
      context const& own = co_await current_context();
      own.log().error("lambda: an answer failed when it was sent in part (request " + request_id +
                      "): " + weir::detail::reason_of(course.failure) + "; who invoked the function is told");
    }
  } catch (error& e) {
    e.with_request_id(request_id);
    throw;
  }
}

task<> runtime_client::fail(std::string request_id, function_error why) {
  task<> posting = post("invocation/" + request_id + "/error", json_of(why), why.type, "report a failure");
  try {
    co_await std::move(posting);
  } catch (error& e) {
    e.with_request_id(request_id);
    throw;
  }
}

task<> runtime_client::fail_init(function_error why) { return post("init/error", json_of(why), why.type, "report that it cannot start"); }

}  // namespace weir::lambda
