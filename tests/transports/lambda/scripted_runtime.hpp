#pragma once
#include <weir/application.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/lambda/options.hpp>
#include <weir/lambda/runtime.hpp>
#include <weir/log.hpp>
#include <weir/settings.hpp>
#include <weir/testing/run.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// What came of an invocation.
struct heard_reply {
  std::string text;  ///< the answer, or the type of the failure
  bool failed = false;
  std::string message;  ///< of the failure
  instant at = 0;
  std::optional<instant> deadline;
  friend bool operator==(heard_reply const& r, std::string_view answer) { return !r.failed && r.text == answer; }
};

/// The service as a function sees it, in virtual time. There are no more invocations when those that were put in are over, and `more`,
/// where it is given, has none: it is asked after each reply.
class scripted_runtime final : public lambda::runtime {
public:
  using payload = std::string;
  void invoke(payload p, std::chrono::nanoseconds time = std::chrono::seconds(3)) { waiting_.emplace_back(std::move(p), time); }

  std::function<std::optional<payload>()> more;
  std::vector<heard_reply> replies;
  std::vector<std::string> failed_starts;
  std::size_t most_answer = std::numeric_limits<std::size_t>::max();
  bool deaf = false;  ///< no answer can be posted

  task<std::optional<lambda::invocation>> next() override {
    context const& own = co_await current_context();
    if (waiting_.empty() && more) {
      if (std::optional<payload> p = more()) invoke(*std::move(p));
    }
    std::optional<lambda::invocation> out;
    if (waiting_.empty()) co_return out;
    out.emplace();
    out->request_id = "request-" + std::to_string(++invoked_);
    out->deadline = deadline_ = own.clock().now() + waiting_.front().second.count();
    out->function_arn = "arn:aws:lambda:us-east-2:123456789012:function:f";
    out->trace_id = "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700";
    out->payload = std::move(waiting_.front().first);
    waiting_.pop_front();
    co_return out;
  }
  task<> respond(std::string request_id, std::string answer) override {
    if (deaf) throw error(errc::unavailable, "lambda: cannot answer");
    if (answer.size() > most_answer) throw error(errc::too_large, "lambda: cannot answer");
    task<> hearing = hear(std::move(request_id), std::move(answer), false, "");
    co_await std::move(hearing);
  }
  task<> respond(std::string request_id, lambda::streamed_answer answer) override {
    std::string whole;
    while (std::string_view const* const piece = co_await answer.body.next()) whole += *piece;
    task<> hearing = hear(std::move(request_id), std::move(whole), false, "");
    co_await std::move(hearing);
  }
  task<> fail(std::string request_id, lambda::function_error why) override {
    return hear(std::move(request_id), std::move(why.type), true, std::move(why.message));
  }
  task<> fail_init(lambda::function_error why) override {
    failed_starts.push_back(why.message);
    co_return;
  }

private:
  task<> hear(std::string request_id, std::string text, bool failed, std::string message) {
    context const& own = co_await current_context();
    if (request_id != "request-" + std::to_string(invoked_)) throw error(errc::rejected, "no such invocation", request_id);
    heard_reply& r = replies.emplace_back();
    r.text = std::move(text);
    r.failed = failed;
    r.message = std::move(message);
    r.at = own.clock().now();
    r.deadline = deadline_;
  }

  std::deque<std::pair<payload, std::chrono::nanoseconds>> waiting_;
  std::optional<instant> deadline_;
  std::size_t invoked_ = 0;
};

/// A function in a simulated service.
class simulated_function {
public:
  simulated_function() {
    with.name = "test";
    with.log = logger(log_level::info, [this](log_level level, std::string_view text) {
      said.push_back(std::string(to_string(level)) + ": " + std::string(text));
    });
    how.service = service;
  }
  /// Answers all invocations.
  template <class Configure> void run(Configure&& configure) {
    application app(with);
    app.use_aws_lambda(how, std::forward<Configure>(configure));
    testing::run(app.serve());
  }
  bool has_said(std::string_view part) const {
    for (std::string const& one : said)
      if (one.find(part) != std::string::npos) return true;
    return false;
  }

  std::shared_ptr<scripted_runtime> service = std::make_shared<scripted_runtime>();
  settings with;
  lambda::options how;
  std::vector<std::string> said;  ///< "warning: lambda: ..."
};

}  // namespace weir::test
