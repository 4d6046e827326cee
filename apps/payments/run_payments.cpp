#include "run_payments.hpp"

#include "decode_payment.hpp"
#include "demonstration.hpp"
#include "payment_sum.hpp"

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
#include <command_line/app_log.hpp>
#include <command_line/complain.hpp>
#include <command_line/dead_letters.hpp>
#include <command_line/input_file.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace payments {
namespace {

using ns = std::chrono::nanoseconds;
using sums = weir::stream<weir::window_result<std::string, sum_of_payments>>;

template <class Late> sums in_windows(weir::timed_stream<payment> once, options const& o, weir::ledger const& books, Late late) {
  return std::move(once) | weir::key_by(&payment::key) | weir::tumbling_window(ns(o.window), std::move(late)) |
         weir::aggregate(payment_sum()).counted_in(books, "payments");
}

sums with_policy(weir::timed_stream<payment> once, options const& o, report& out, weir::ledger const& books) {
  auto set_aside = [&out](payment const& p) { out.add_late(p); };
  switch (o.time.late) {
    case command_line::late_policy::drop: break;
    case command_line::late_policy::side: return in_windows(std::move(once), o, books, weir::late::side_output(set_aside));
    case command_line::late_policy::update:
      return in_windows(std::move(once), o, books, weir::late::update(ns(o.time.lateness), weir::late::side_output(set_aside)));
  }
  return in_windows(std::move(once), o, books, weir::late::drop());
}

class session {
public:
  explicit session(options const& o) : options_(o) {
    if (!o.dead_letters.empty()) dead_.emplace(o.dead_letters);
  }

  int run() {
    weir::settings settings;
    settings.name = "payments";
    settings.log = log_.logger();
    weir::application app(std::move(settings));
    if (options_.input.empty()) use_demonstration(app);
    else use_file(app);
    int const code = app.run();
    if (dead_) dead_->flush();
    if (code == 1) log_.complain_of_failure();
    if (code > 1) command_line::complain("payments", "stopped before the end of the input");
    if (code != 0) return code;
    fmt::print("{}", report_.text(books_.sum("payments"), options_.time.late));
    if (dead_ && dead_->count() != 0) fmt::print("lines that were no payments: {}, see {}\n", dead_->count(), options_.dead_letters);
    return 0;
  }

private:
  void use_demonstration(weir::application& app) {
    weir::testing::script<payment> deliveries("the demonstration");
    deliveries.elements(demonstration());
    app.use_memory_stream(deliveries, [this](auto& pipeline) {
      pipeline.use_stream(
          [this](weir::stream<payment> s, weir::stream_context&) { return count_payments(std::move(s), options_, report_, books_); });
    });
  }
  void use_file(weir::application& app) {
    auto const policy = dead_ ? dead_->policy() : weir::file::broken_line_policy();
    auto const decode = std::make_shared<payment_decoder>(decoder_of_payments(policy));
    weir::file::options from;
    std::vector<command_line::output_name> const outputs{{options_.dead_letters, "--on-broken-line"}};
    from.paths = {command_line::look_at_input("payments", options_.input, "payments", outputs).path};
    from.format = weir::file::format::ndjson;
    from.fields = decode->names();
    from.on_broken_line = policy;
    app.use_file_stream(std::move(from), [this, decode](auto& pipeline) {
      pipeline.use_stream([this, decode](weir::stream<weir::file::record> records, weir::stream_context&) {
        auto deliveries = std::move(records) | weir::map([decode](weir::file::record const& r) { return (*decode)(r); }) |
                          weir::filter([](payment const& p) { return !p.id.empty(); });
        return count_payments(std::move(deliveries), options_, report_, books_);
      });
    });
  }

  options const& options_;
  report report_;
  weir::ledger books_;
  std::optional<command_line::dead_letters> dead_;
  command_line::app_log log_{"payments"};
};

}  // namespace

weir::task<> count_payments(weir::stream<payment> deliveries, options const& o, report& out, weir::ledger books) {
  weir::timed_stream<payment> once =
      std::move(deliveries) | weir::event_time(&payment::time, weir::bounded_disorder(ns(o.time.bound))).counted_in(books, "payments") |
      weir::dedup(&payment::id, ns(o.horizon)).counted_in(books, "payments");
  sums windows = with_policy(std::move(once), o, out, books);
  while (auto* const w = co_await windows.next()) out.put(w->key, w->window.start, w->value);
}

int run_payments(options const& o) { return session(o).run(); }

}  // namespace payments
