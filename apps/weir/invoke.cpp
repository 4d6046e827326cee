#include "lambda_commands.hpp"

#include <weir/error.hpp>

#ifdef WEIR_HAS_LAMBDA
#include "text.hpp"

#include <weir/asio.hpp>
#include <weir/async_scope.hpp>
#include <weir/context.hpp>
#include <weir/lambda/event.hpp>
#include <weir/lambda/redelivered_event.hpp>
#include <command_line/complain.hpp>
#include <command_line/event_loop.hpp>
#include <local_lambda/local_function.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#endif

namespace lambda_tool {

#ifdef WEIR_HAS_LAMBDA
namespace {

using local_lambda::invocation_report;
using local_lambda::local_function;

constexpr std::size_t most_event = std::size_t{6} * 1024 * 1024;

struct named_event {
  std::string name, payload;
};

named_event read_event(std::string const& file) {
  named_event out;
  out.name = file == "-" ? "standard input" : file;
  std::ifstream from;
  if (file != "-") from.open(file, std::ios::binary);
  std::istream& in = file == "-" ? std::cin : from;
  in.peek();  // of a folder: here it is told
  if (!in.bad()) out.payload.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (in.bad() || (file != "-" && !from.is_open()))
    throw weir::error(weir::errc::io, "weir: cannot read the event " + out.name, "it does not exist, or may not be read");
  if (out.payload.size() > most_event) {
    throw weir::error(weir::errc::too_large, "weir: cannot invoke with the event " + out.name,
                      fmt::format("it has {} bytes, and Lambda takes up to {}", out.payload.size(), most_event));
  }
  return out;
}

// How many records it has; null: it is no event of a mapping.
std::optional<std::size_t> records_in(std::string const& payload) {
  try {
    return weir::lambda::event(payload).size();
  } catch (weir::error const&) {
    return std::nullopt;
  }
}

std::string milliseconds(std::chrono::nanoseconds time) {
  return fmt::format("{:.1f} ms", std::chrono::duration<double, std::milli>(time).count());
}

struct interrupted {
  int signal;
};

weir::task<> until_interrupted(boost::asio::any_io_executor on) {
  boost::asio::signal_set signals(on, SIGINT, SIGTERM);
  int const number = co_await signals.async_wait(weir::use);
  throw interrupted{number};
}

class invoker {
public:
  invoker(options const& o, local_function& function) : options_(o), function_(function) {}

  // Whether all is done.
  bool well() const noexcept { return well_; }

  weir::task<> run(weir::async_scope& beside, std::vector<named_event> events) {
    beside.spawn(function_.serve());
    weir::context& own = co_await weir::current_context();
    beside.spawn(until_interrupted(own.environment().executor()));
    for (named_event const& e : events) {
      weir::task<> invoking = run(e);
      co_await std::move(invoking);
    }
    weir::task<> ending = function_.end();
    co_await std::move(ending);
    beside.cancel();
  }

private:
  weir::task<> run(named_event const& e) {
    std::string payload = e.payload;
    for (unsigned again = 0;; ++again) {
      weir::task<invocation_report> invoking = function_.invoke(payload);
      invocation_report const report = co_await std::move(invoking);
      std::optional<std::string> left = left_of(payload, report);
      tell(e, payload, report, left);
      if (!left) co_return;
      if (again == options_.redeliveries) {
        well_ = false;
        co_return;
      }
      payload = *std::move(left);
      command_line::complain("weir",
                             fmt::format("{}: again with {} ({} of {})", e.name, size_text(payload), again + 1, options_.redeliveries));
    }
  }

  // What is to come again; null: nothing.
  static std::optional<std::string> left_of(std::string const& payload, invocation_report const& report) {
    if (!report.end.succeeded) return payload;
    return weir::lambda::redelivered_event(payload, report.end.answer);
  }
  static std::string size_text(std::string const& payload) {
    auto const count = records_in(payload);
    return count ? state_tool::count_text(*count, "record", "records") : "the event";
  }

  static void tell(named_event const& e, std::string const& payload, invocation_report const& report,
                   std::optional<std::string> const& left) {
    if (report.end.succeeded || !report.end.answer.empty()) {
      std::fwrite(report.end.answer.data(), 1, report.end.answer.size(), stdout);
      std::fputc('\n', stdout);
      std::fflush(stdout);
    }
    std::string text = e.name + ": " + (report.end.succeeded ? "answered in " : "failed after ") + milliseconds(report.took);
    if (report.start) text += ", started in " + milliseconds(*report.start);
    if (!report.end.succeeded) {
      text += ": " + report.end.failure;
    } else if (auto const count = records_in(payload)) {
      std::size_t const open = left ? records_in(*left).value_or(*count) : 0;
      text += fmt::format(": {} of {} done", *count - open, state_tool::count_text(*count, "record", "records"));
    }
    command_line::complain("weir", text);
  }

  options const& options_;
  local_function& function_;
  bool well_ = true;
};

weir::task<bool> invoke_all(options const& o, std::vector<named_event> events) {
  weir::context& own = co_await weir::current_context();
  local_function function(own.environment().executor(), o.program, o.timeout);
  invoker work(o, function);
  auto body = [&](weir::async_scope& scope) { return work.run(scope, std::move(events)); };
  weir::task<> all = weir::with_scope(std::move(body));
  co_await std::move(all);
  co_return work.well();
}

}  // namespace

int invoke(options const& o) {
  std::vector<named_event> events;
  events.reserve(o.events.size());
  for (std::string const& file : o.events) events.push_back(read_event(file));
  try {
    return command_line::event_loop().run(invoke_all(o, std::move(events))) ? 0 : 1;
  } catch (interrupted const& by) {
    return 128 + by.signal;  // the function is killed: it is in a process group of its own, and was not interrupted
  }
}
#else
int invoke(options const&) {
  throw weir::error(weir::errc::invalid_option, "weir: cannot invoke a function", "this program was built without lambda",
                    "build it with lambda in WEIR_COMPONENTS");
}
#endif

}  // namespace lambda_tool
