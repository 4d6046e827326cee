#include "run_log.hpp"

#include "log_windows.hpp"
#include "request_decoder.hpp"

#include <weir/application.hpp>
#include <weir/file/use_file_stream.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/map.hpp>
#include <command_line/app_log.hpp>
#include <command_line/complain.hpp>
#include <command_line/dead_letters.hpp>
#include <command_line/input_file.hpp>
#include <command_line/whole_file.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weblog {
namespace {

// A pipeline per result, each over the log by itself: none waits for another, and memory does not grow with the log.
class session {
public:
  explicit session(options const& o) : options_(o), path_(look_at(o)), run_(o) {
    if (!o.dead_letters.empty()) dead_.emplace(o.dead_letters);
    command_line::make_folder(o.output, "results");
  }

  int run() {
    weir::settings settings;
    settings.name = "weblog";
    settings.log = log_.logger();
    weir::application app(std::move(settings));
    add(app, sessions_name, count_sessions);
    add(app, statuses_name, count_statuses);
    add(app, sliding_name, count_sliding);
    add(app, top_clients_name, rank_clients);
    add(app, alerts_name, watch_errors);
    int const ended = app.run();
    if (dead_) dead_->flush();
    int const code = log_.conclude(ended);
    if (code > 1) command_line::complain("weblog", "stopped before the end of the log: no results were written");
    if (code != 0) return code;
    auto const books = run_.books.all();
    run_.out.write(options_.output, books);
    report(books);
    return 0;
  }

private:
  static std::string look_at(options const& o) {
    std::vector<command_line::output_name> const outputs{{o.dead_letters, "--on-broken-line"}};
    return command_line::look_at_input("weblog", o.input, "requests", outputs).path;
  }

  using result = weir::task<> (*)(weir::stream<hit>, log_run&);

  void add(weir::application& app, std::string_view name, result make) {
    // The first pipeline tells of broken lines, the others read the same ones.
    bool const first = !std::exchange(told_, true);
    weir::file::broken_line_policy policy;
    if (dead_) policy = first ? dead_->policy() : weir::file::dead_letter([](weir::file::broken_line const&) {});
    auto const decoder = std::make_shared<request_decoder>(policy);
    if (first) decoder_ = decoder;
    weir::file::options from;
    from.paths = {path_};
    from.on_broken_line = std::move(policy);
    app.use_file_stream(std::move(from), [this, name, make, decoder](auto& pipeline) {
      pipeline.name(std::string(name));
      pipeline.use_stream([this, make, decoder](weir::stream<weir::file::record> records, weir::stream_context&) {
        auto hits = std::move(records) | weir::map([decoder](weir::file::record const& r) { return (*decoder)(r); }) |
                    weir::filter([](hit const& h) { return !h.client.empty(); });
        return make(std::move(hits), run_);
      });
    });
  }

  void report(std::map<std::string, weir::tally, std::less<>> const& books) {
    auto const line = [&](std::string_view name, std::size_t rows) {
      auto const& t = books.at(std::string(name));
      fmt::print("{:<24}{:>8} rows  {:>8} in  {:>8} out  {:>6} late\n", name, rows, t.in, t.out, t.late);
    };
    line(sessions_name, run_.out.sessions.size());
    line(statuses_name, run_.out.statuses.size());
    line(sliding_name, run_.out.sliding.size());
    line(top_clients_name, run_.out.top.size());
    line(alerts_name, run_.out.alerts.size());
    if (run_.out.late.size() != 0) fmt::print("requests set aside as late: {}, see {}/late.csv\n", run_.out.late.size(), options_.output);
    if (decoder_->cut() != 0) fmt::print("lines that broke off within the user agent, and were counted: {}\n", decoder_->cut());
    if (dead_ && dead_->count() != 0) fmt::print("lines that were no requests: {}, see {}\n", dead_->count(), options_.dead_letters);
    fmt::print("written to {}\n", options_.output);
  }

  options const& options_;
  std::string path_;
  log_run run_;
  std::optional<command_line::dead_letters> dead_;
  std::shared_ptr<request_decoder> decoder_;
  bool told_ = false;
  command_line::app_log log_{"weblog"};
};

}  // namespace

int run_log(options const& o) { return session(o).run(); }

}  // namespace weblog
