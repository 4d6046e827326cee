#include "run_fraud.hpp"

#include "decode_login.hpp"
#include "judge_logins.hpp"

#include <weir/application.hpp>
#include <weir/file/line_file.hpp>
#include <weir/file/use_file_stream.hpp>

#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/inspect.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/process.hpp>
#include <weir/source.hpp>
#include <command_line/app_log.hpp>
#include <command_line/complain.hpp>
#include <command_line/dead_letters.hpp>
#include <command_line/input_file.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fraud {
namespace {

using ns = std::chrono::nanoseconds;

class session {
public:
  explicit session(options const& o) : options_(o), lines_(o.alerts, "alerts", alert_beginning) {
    if (!o.dead_letters.empty()) dead_.emplace(o.dead_letters);
  }

  int run() {
    weir::settings settings;
    settings.name = "fraud";
    settings.log = log_.logger();
    weir::application app(std::move(settings));
    if (options_.input.empty()) use_built_in(app);
    else use_file(app);
    int const ended = app.run();
    if (dead_) dead_->flush();
    int const code = log_.conclude(ended);
    if (code > 1) command_line::complain("fraud", "stopped before the end of the logins");
    if (code != 0) return code;
    fmt::print(options_.alerts == "-" ? stderr : stdout, "{} logins, {} alerts, {} logins too late to be judged\n", logins_, alerts_,
               counts_->late);
    if (dead_ && dead_->count() != 0) fmt::print(stderr, "lines that were no logins: {}, see {}\n", dead_->count(), options_.dead_letters);
    return 0;
  }

private:
  weir::task<> tell(weir::stream<login> logins) {
    auto counted = std::move(logins) | weir::inspect([this](login const&) { ++logins_; });
    weir::stream<alert> alerts = alerts_of(std::move(counted), options_, counts_);
    while (alert* const a = co_await alerts.next()) {
      ++alerts_;
      lines_.add(alert_text(*a));
      lines_.flush();
    }
  }

  static weir::stream<login> built_in(options const& o) {
    login_generator logins(o.made);
    for (std::uint64_t n = o.count; n != 0; --n) co_yield logins.next();
  }
  class built_in_source final : public weir::source<login> {
  public:
    explicit built_in_source(options const& o) : options_(o) {}
    std::string_view name() const noexcept override { return "built-in logins"; }
    std::vector<std::string> partitions() const override { return {"0"}; }
    weir::stream<login> open(std::string, std::optional<weir::position>) override { return built_in(options_); }

  private:
    options const& options_;
  };
  void use_built_in(weir::application& app) {
    app.use_source(std::make_shared<built_in_source>(options_), [this](auto& pipeline) {
      pipeline.use_stream([this](weir::stream<login> s, weir::stream_context&) { return tell(std::move(s)); });
    });
  }
  void use_file(weir::application& app) {
    auto const policy = dead_ ? dead_->policy() : weir::file::broken_line_policy();
    auto const decode = std::make_shared<login_decoder>(decoder_of_logins(policy));
    weir::file::options from;
    std::vector<command_line::output_name> const outputs{{options_.dead_letters, "--on-broken-line"}, {options_.alerts, "--alerts"}};
    from.paths = {command_line::look_at_input("fraud", options_.input, "logins", outputs).path};
    from.format = weir::file::format::ndjson;
    from.fields = decode->names();
    from.on_broken_line = policy;
    app.use_file_stream(std::move(from), [this, decode](auto& pipeline) {
      pipeline.use_stream([this, decode](weir::stream<weir::file::record> records, weir::stream_context&) {
        auto logins = std::move(records) | weir::map([decode](weir::file::record const& r) { return (*decode)(r); }) |
                      weir::filter([](login const& l) { return !l.account.empty(); });
        return tell(std::move(logins));
      });
    });
  }

  options const& options_;
  weir::file::line_file lines_;
  std::optional<command_line::dead_letters> dead_;
  std::shared_ptr<weir::key_counts> counts_ = std::make_shared<weir::key_counts>();
  std::uint64_t logins_ = 0, alerts_ = 0;
  command_line::app_log log_{"fraud"};
};

}  // namespace

weir::stream<alert> alerts_of(weir::stream<login> logins, options const& o, std::shared_ptr<weir::key_counts> counts) {
  return std::move(logins) | weir::event_time(&login::time, weir::bounded_disorder(ns(o.bound))) | weir::key_by(&login::account) |
         weir::process(judge_logins(o.judged_by), weir::expire_after(ns(memory_of(o.judged_by)))).keys_counted_in(std::move(counts));
}

int run_fraud(options const& o) { return session(o).run(); }

}  // namespace fraud
