#include "run_bars.hpp"

#include "bar_event.hpp"
#include "bar_input.hpp"
#include "bar_pipeline.hpp"
#include "bar_store.hpp"
#include "bar_table.hpp"
#include "hub_ticks.hpp"
#include "kinesis_ticks.hpp"
#include "live_bars.hpp"
#include "live_page.hpp"
#include "market_source.hpp"
#include "progress.hpp"
#include "tick_decoder.hpp"

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/file/line_file.hpp>
#include <weir/file/message_file.hpp>
#include <weir/file/record.hpp>
#include <weir/file/source.hpp>
#include <weir/log.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/map.hpp>
#include <weir/retry_policy.hpp>
#include <weir/source.hpp>
#include <weir/source_via.hpp>
#include <weir/state_store.hpp>
#include <weir/stream_context.hpp>
#include <weir/topic.hpp>
#include <command_line/app_log.hpp>
#include <command_line/before_checkpoint.hpp>
#include <command_line/dead_letters.hpp>
#include <command_line/event_loop.hpp>
#include <results/open.hpp>
#include <results/table.hpp>
#include <results/upserts.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ticks {
namespace {

// Everything a run has, in the order in which it has to be made.
class session {
public:
  explicit session(options const& o)
      : options_(o),
        progress_place_(o.checkpoints() == o.bars ? progress_place::here : progress_place::elsewhere),
        input_(look_at_input(o)),
        database_(results::open_database(o.bars)) {
    loop_.run(bar_store::check(*database_, input_.origin, o.window, progress_place_));
    checkpoints_ = results::open_checkpoints(o.checkpoints());
    store_ = loop_.run(
        bar_store::open(database_, input_.origin, o.window, o.leases.empty() ? "" : "leases " + o.leases + " of " + input_.origin.source));
    if (!o.events.empty()) events_ = std::make_shared<weir::file::message_file>(o.events);
    if (!o.late.empty()) late_.emplace(o.late, "late ticks", late_event_beginning);
    if (!o.dead_letters.empty()) dead_.emplace(o.dead_letters);
    run_.emplace(*store_, rules_of(o), announced());
    if (late_) run_->rules.late = [this](tick const& t, weir::lateness const& l) { late_->add(late_event(t, l.window)); };
    run_->after_chunk = [this] {
      if (progress_.is_due()) progress_.show(figures());
    };
  }

  int run() {
    weir::settings settings;
    settings.name = "ticks";
    settings.checkpoints = checkpoints_;
    settings.log = weir::logger(weir::log_level::info, [this](weir::log_level level, std::string_view text) { hear(level, text); });
    watch(settings);
    app_.emplace(std::move(settings));
    use(*app_, source());
    int const code = log_.conclude(app_->run());
    if (code == 1) return code;
    progress_.clear();
    flush();
    report(code);
    return code == 128 + SIGTERM ? 0 : code;  // who sends it wants the program to end, and so it did
  }

private:
  static bar_rules rules_of(options const& o) {
    using ns = std::chrono::nanoseconds;
    bool const ids = o.from == options::source::market || !o.fields.trade_id.empty();
    return bar_rules{ns(o.window), ns(o.bound), ns(ids ? o.dedup : 0), ns(o.early)};
  }
  void watch(weir::settings& of) {
    using how = options::watching;
    if (options_.watched == how::off || (options_.watched == how::by_terminal && ::isatty(STDERR_FILENO) == 0)) return;
    auto const bars = std::make_shared<live_bars>(options_.window);
    auto page = open_live_page(options_.status_port, bars);
    if (!page && options_.watched == how::on)
      throw weir::error(weir::errc::invalid_option, "ticks: cannot be watched", "this program was built without status",
                        "build it with status in WEIR_COMPONENTS");
    if (!page) return;
    run_->on_ticks = [bars](std::span<tick const> some) { bars->add(some); };
    of.status = page->service;
    fmt::print(stderr, "watch it at {}\n", page->address);
  }
  void flush() {
    if (dead_) dead_->flush();
    if (late_) late_->flush();
  }
  // What has failed ends the run, be it one partition of many, or an error that is only logged: the others would go on without end, and
  // nobody would be told.
  void hear(weir::log_level level, std::string_view text) {
    said_(level, text);
    if (level == weir::log_level::error) app_->stop();
  }
  // Its checkpoint belongs to these bars and to no others.
  std::string pipeline_name() const { return "bars " + store_->id(); }

  announcing announced() const {
    if (!events_) return announcing::nothing;
    return progress_place_ == progress_place::here ? announcing::changes : announcing::all;
  }
  // Bars and events are there when their checkpoint is.
  weir::commit_policy commits() const {
    weir::commit_policy often;
    often.records = options_.batch;
    return often;
  }
  // Another run has the partition: whatever fails here is no failure of this one, which goes on.
  static bool is_lost(weir::stream_context const& context) { return context.cancellation().requested(); }
  static weir::task<> guarded(weir::stream<tick> all, weir::stream_context& context, session& s) {
    try {
      weir::stream<tick> ticks =
          command_line::before_checkpoint(std::move(all), s.flushing_) | weir::filter([](tick const& t) { return !t.name.view().empty(); });
      co_await make_bars(std::move(ticks), context, *s.run_);
    } catch (weir::error const& e) {
      if (e.code() != weir::condition::cancelled && !is_lost(context)) s.log_.failed(e.what());
      throw;
    } catch (std::exception const& e) {
      if (!is_lost(context)) s.log_.failed(e.what());
      throw;
    }
  }

  std::shared_ptr<weir::source<tick>> source() {
    if (options_.from == options::source::kinesis) return open_kinesis(options_, dead_ ? &*dead_ : nullptr);
    if (options_.from == options::source::eventhubs) return open_hub(options_, dead_ ? &*dead_ : nullptr);
    if (options_.from == options::source::file) return file();
    return std::make_shared<market_source>(options_.made, options_.count, options_.speed);
  }
  std::shared_ptr<weir::source<tick>> file() {
    auto const policy = dead_ ? dead_->policy() : weir::file::broken_line_policy();
    auto const decoder = std::make_shared<tick_decoder>(options_.fields, policy);
    weir::file::options from;
    from.paths = {input_.path};
    from.format = input_.csv ? weir::file::format::csv : weir::file::format::ndjson;
    from.fields = decoder->selected();
    from.on_broken_line = policy;
    if (options_.follow) from.follow.emplace();
    if (options_.speed > 0) {
      auto& replay = from.replay.emplace();
      replay.speed = options_.speed;
      replay.time = [decoder, last = weir::instant(0)](weir::file::record const& r) mutable { return last = decoder->time_of(r, last); };
    }
    auto const decode = [decoder](weir::stream<weir::file::record> records) {
      return std::move(records) | weir::map([decoder](weir::file::record const& r) { return (*decoder)(r); });
    };
    return weir::source_via<tick>(std::make_shared<weir::file::source>(std::move(from)), decode);
  }

  void use(weir::application& app, std::shared_ptr<weir::source<tick>> from) {
    app.use_source(std::move(from), [this](auto& pipeline) {
      pipeline.name(pipeline_name()).commit(commits());
      auto const statements = [this](std::vector<bar_change> const& bars) { return store_->statements_of(bars); };
      if (progress_place_ == progress_place::here) pipeline.use_sink("bars", results::table<bar_change>(checkpoints_, statements));
      else pipeline.use_sink("bars", results::upserts<bar_change>(database_, statements));
      auto const once = weir::retry_policy().attempts(1);  // a reader that has gone does not come back; the next run delivers
      if (events_) pipeline.use_topic("bar:closed", weir::topic<bar_change>(events_, closed_event).retry(once));
      pipeline.use_stream(
          [this](weir::stream<tick> ticks, weir::stream_context& context) { return guarded(std::move(ticks), context, *this); });
    });
  }

  progress_figures figures() const {
    progress_figures f;
    f.records = run_->records;
    f.event_time = run_->event_time;
    f.open = run_->books.sum("bars").open;
    f.done = run_->at.offset();
    f.total = input_.total;
    f.bytes = !input_.path.empty();
    return f;
  }

  // What the input is made of.
  static std::string_view parts_of(options::source from) {
    return from == options::source::kinesis ? "records" : from == options::source::eventhubs ? "events" : "lines";
  }
  void report(int code) {
    auto* const out = options_.events == "-" ? stderr : stdout;
    double const seconds = progress_.elapsed().count();
    auto const counts = run_->books.sum("bars");
    auto const last = options_.show != 0 ? loop_.run(store_->last_bars(options_.show)) : std::vector<keyed_bar>();
    if (!last.empty()) fmt::print(out, "{}", bar_table(last));
    fmt::print(out, "{} ticks in {:.2f} s ({}/s), {} bars closed; {} bars in {}\n", grouped(run_->records), seconds,
               grouped(static_cast<std::uint64_t>(static_cast<double>(run_->records) / seconds)), grouped(run_->closed),
               grouped(static_cast<std::uint64_t>(loop_.run(store_->count()))), store_->name());
    if (counts.duplicate != 0) fmt::print(out, "{} ticks were delivered more than once and are counted once\n", grouped(counts.duplicate));
    if (counts.late != 0) {
      fmt::print(out, "{} ticks came when their bar had closed and are not in it{}\n", grouped(counts.late),
                 options_.late.empty() ? "; --bound allows more disorder, --late keeps them" : ", see " + options_.late);
    }
    std::uint64_t const dead = dead_ ? dead_->count() : 0;
    if (dead != 0) fmt::print(out, "{} that were no ticks: {}, see {}\n", parts_of(options_.from), grouped(dead), options_.dead_letters);
    if (code != 0) fmt::print(out, "stopped in order; run the same command again to go on\n");
    else if (run_->records == 0 && dead == 0) fmt::print(out, "nothing was left to do; {} to begin anew\n", removal());
  }

  std::string removal() const {
    if (options_.bars.kind == command_line::store_kind::postgres) return "drop the tables bars... of " + store_->name();
    bool const other = progress_place_ == progress_place::elsewhere && options_.checkpoints().kind == command_line::store_kind::sqlite;
    return "remove " + store_->name() + (other ? " and " + options_.checkpoints().place : "");
  }

  options const& options_;
  progress_place progress_place_;
  command_line::event_loop loop_;
  bar_input input_;
  std::shared_ptr<results::database> database_;
  std::shared_ptr<weir::state_store> checkpoints_;
  std::unique_ptr<bar_store> store_;
  std::shared_ptr<weir::file::message_file> events_;
  std::optional<weir::file::line_file> late_;
  std::optional<command_line::dead_letters> dead_;
  std::optional<bar_run> run_;
  std::function<void()> const flushing_ = [this] { flush(); };
  progress progress_;
  command_line::app_log log_{"ticks", [this] { progress_.clear(); }};
  weir::logger const said_ = log_.logger();
  std::optional<weir::application> app_;
};

}  // namespace

int run_bars(options const& o) { return session(o).run(); }

}  // namespace ticks
