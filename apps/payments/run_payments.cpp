#include "run_payments.hpp"

#include "decode_payment.hpp"
#include "demonstration.hpp"
#include "payment_sum.hpp"
#include "report.hpp"
#include "totals.hpp"

#include <weir/application.hpp>
#include <weir/file/use_file_stream.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/stream_context.hpp>
#include <command_line/app_log.hpp>
#include <command_line/before_checkpoint.hpp>
#include <command_line/complain.hpp>
#include <command_line/dead_letters.hpp>
#include <command_line/event_loop.hpp>
#include <command_line/input_file.hpp>
#include <command_line/store_name.hpp>
#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace payments {
namespace {

using ns = std::chrono::nanoseconds;
using sums = weir::stream<weir::window_result<std::string, sum_of_payments>>;

template <class Late> sums in_windows(weir::timed_stream<payment> once, options const& o, weir::ledger const& books, Late late) {
  return std::move(once) | weir::key_by(&payment::key) | weir::tumbling_window(ns(o.window), std::move(late)) |
         weir::aggregate(payment_sum()).named("sums").counted_in(books, "payments");
}

sums with_policy(weir::timed_stream<payment> once, options const& o, set_aside late, weir::ledger const& books) {
  auto aside = [late = std::move(late)](payment const& p) { late(p); };
  switch (o.time.late) {
    case command_line::late_policy::drop: break;
    case command_line::late_policy::side: return in_windows(std::move(once), o, books, weir::late::side_output(std::move(aside)));
    case command_line::late_policy::update:
      return in_windows(std::move(once), o, books, weir::late::update(ns(o.time.lateness), weir::late::side_output(std::move(aside))));
  }
  return in_windows(std::move(once), o, books, weir::late::drop());
}

class session {
public:
  explicit session(options const& o) : options_(o) {
    if (!o.dead_letters.empty()) dead_.emplace(o.dead_letters);
  }

  int run() {
    std::vector<command_line::output_name> const outputs{{options_.dead_letters, "--on-broken-line"},
                                                         {options_.totals ? command_line::file_of(*options_.totals) : "", "--totals"}};
    if (!options_.input.empty()) input_ = command_line::look_at_input("payments", options_.input, "payments", outputs).path;
    totals_ = options_.totals ? loop_.run(totals::open(*options_.totals, pipeline_name())) : std::make_unique<totals>();
    weir::settings settings;
    settings.name = "payments";
    settings.checkpoints = totals_->checkpoints();
    settings.commit.records = options_.batch;
    settings.log = log_.logger();
    weir::application app(std::move(settings));
    if (input_.empty()) use_demonstration(app);
    else use_file(app);
    int const ended = app.run();
    if (dead_) dead_->flush();
    int const code = log_.conclude(ended);
    if (code > 1) command_line::complain("payments", "stopped before the end of the input");
    if (code != 0) return code;
    for (window_sum& w : loop_.run(totals_->read())) report_.put(std::move(w));
    fmt::print("{}", report_.text(books_.sum("payments"), options_.time.late));
    if (dead_ && dead_->count() != 0) fmt::print("lines that were no payments: {}, see {}\n", dead_->count(), options_.dead_letters);
    return 0;
  }

private:
  // Its totals are those of this input and these windows, and of no others.
  std::string pipeline_name() const {
    return input_.empty() ? "the demonstration" : fmt::format("{} per {}", input_, command_line::duration_text(options_.window));
  }
  static weir::task<> keep(weir::stream<payment> deliveries, weir::stream_context& context, session& s) {
    auto all = sums_of_windows(std::move(deliveries), s.options_, s.late_, s.books_) | weir::write_to(context.sink<window_sum>("totals"));
    co_await all;
  }

  void use_demonstration(weir::application& app) {
    weir::testing::script<payment> deliveries("the demonstration");
    deliveries.elements(demonstration());
    app.use_memory_stream(deliveries, [this](auto& pipeline) {
      pipeline.use_sink("totals", totals_->sink());
      pipeline.use_stream([this](weir::stream<payment> s, weir::stream_context& c) { return keep(std::move(s), c, *this); });
    });
  }
  void use_file(weir::application& app) {
    auto const policy = dead_ ? dead_->policy() : weir::file::broken_line_policy();
    auto const decode = std::make_shared<payment_decoder>(decoder_of_payments(policy));
    weir::file::options from;
    from.paths = {input_};
    from.format = weir::file::format::ndjson;
    from.fields = decode->names();
    from.on_broken_line = policy;
    app.use_file_stream(std::move(from), [this, decode](auto& pipeline) {
      pipeline.name(pipeline_name());
      pipeline.use_sink("totals", totals_->sink());
      pipeline.use_stream([this, decode](weir::stream<weir::file::record> records, weir::stream_context& context) {
        auto deliveries = std::move(records) | weir::map([decode](weir::file::record const& r) { return (*decode)(r); }) |
                          weir::filter([](payment const& p) { return !p.id.empty(); });
        return keep(command_line::before_checkpoint<payment>(std::move(deliveries), flushing_), context, *this);
      });
    });
  }

  options const& options_;
  std::string input_;  // empty: the demonstration
  command_line::event_loop loop_;
  std::unique_ptr<totals> totals_;
  report report_;
  weir::ledger books_;
  std::optional<command_line::dead_letters> dead_;
  // Only in memory, from where the report lists them: with --totals nobody asks for them.
  set_aside const late_ = [this](payment const& p) {
    if (!options_.totals) report_.add_late(p);
  };
  std::function<void()> const flushing_ = [this] {
    if (dead_) dead_->flush();
  };
  command_line::app_log log_{"payments"};
};

}  // namespace

weir::stream<window_sum> sums_of_windows(weir::stream<payment> deliveries, options const& o, set_aside late, weir::ledger const& books) {
  weir::timed_stream<payment> once =
      std::move(deliveries) | weir::event_time(&payment::time, weir::bounded_disorder(ns(o.time.bound))).counted_in(books, "payments") |
      weir::dedup(&payment::id, ns(o.horizon)).named("ids").counted_in(books, "payments");
  return with_policy(std::move(once), o, std::move(late), books) |
         weir::map([](auto& w) { return window_sum{w.key, w.window.start, w.value}; });
}

int run_payments(options const& o) { return session(o).run(); }

}  // namespace payments
