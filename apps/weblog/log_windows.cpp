#include "log_windows.hpp"

#include "error_count.hpp"

#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/accumulators/top_n.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/retraction.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace weblog {
namespace {

weir::timed_stream<hit> in_time(weir::stream<hit> hits, log_run& run, std::string_view name) {
  return std::move(hits) | weir::event_time(&hit::time, weir::bounded_disorder(std::chrono::nanoseconds(run.settings.time.bound)))
                               .counted_in(run.books, std::string(name));
}

// `make(late policy)` gives a stream of results, whose type does not depend on the policy.
template <class Make> auto with_policy(log_run& run, std::string_view name, Make make) {
  auto const& time = run.settings.time;
  auto set_aside = [&run, name](hit const& h) { run.out.add_late(name, h); };
  if (time.late == command_line::late_policy::side) return make(weir::late::side_output(set_aside));
  if (time.late == command_line::late_policy::update) return make(weir::late::update(std::chrono::nanoseconds(time.lateness)));
  return make(weir::late::drop());
}

template <class K, class R> using fired = weir::stream<weir::window_result<K, R>>;

}  // namespace

weir::task<> count_sessions(weir::stream<hit> hits, log_run& run) {
  auto timed = in_time(std::move(hits), run, sessions_name);
  auto sessions = with_policy(run, sessions_name, [&](auto late) -> fired<std::string, std::uint64_t> {
    return std::move(timed) | weir::key_by(&hit::client) | weir::session_window(session_gap, std::move(late)) |
           weir::aggregate(weir::count()).counted_in(run.books, std::string(sessions_name));
  });
  while (auto* const s = co_await sessions.next()) {
    session_row row{s->key, s->window.start, s->window.end, s->value};
    if (weir::is_retraction(*s)) run.out.sessions.remove(row.key());
    else run.out.sessions.put(std::move(row));
  }
}

weir::task<> count_statuses(weir::stream<hit> hits, log_run& run) {
  auto timed = in_time(std::move(hits), run, statuses_name);
  auto counts = with_policy(run, statuses_name, [&](auto late) -> fired<std::uint16_t, std::uint64_t> {
    return std::move(timed) | weir::key_by(&hit::status) | weir::tumbling_window(window_length, std::move(late)) |
           weir::aggregate(weir::count()).counted_in(run.books, std::string(statuses_name));
  });
  while (auto* const c = co_await counts.next()) run.out.statuses.put(status_row{c->window.start, c->key, c->value});
}

weir::task<> count_sliding(weir::stream<hit> hits, log_run& run) {
  auto timed = in_time(std::move(hits), run, sliding_name);
  auto counts = with_policy(run, sliding_name, [&](auto late) -> fired<weir::no_key, std::uint64_t> {
    return std::move(timed) | weir::sliding_window(window_length, window_slide, std::move(late)) |
           weir::aggregate(weir::count()).counted_in(run.books, std::string(sliding_name));
  });
  while (auto* const c = co_await counts.next()) run.out.sliding.put(sliding_row{c->window.start, c->window.end, c->value});
}

weir::task<> rank_clients(weir::stream<hit> hits, log_run& run) {
  auto timed = in_time(std::move(hits), run, top_clients_name);
  weir::top_n const most(top_clients, &hit::client);
  using ranking = weir::accumulator_result<std::remove_const_t<decltype(most)>, hit>;
  auto rankings = with_policy(run, top_clients_name, [&](auto late) -> fired<weir::no_key, ranking> {
    return std::move(timed) | weir::tumbling_window(window_length, std::move(late)) |
           weir::aggregate(most).counted_in(run.books, std::string(top_clients_name));
  });
  while (auto* const r = co_await rankings.next()) {
    std::uint32_t rank = 0;
    for (auto const& client : r->value) run.out.top.put(top_client_row{r->window.start, client.value, client.weight, ++rank});
  }
}

weir::task<> watch_errors(weir::stream<hit> hits, log_run& run) {
  auto timed = in_time(std::move(hits), run, alerts_name);
  auto counts = with_policy(run, alerts_name, [&](auto late) -> fired<weir::no_key, error_count::state> {
    return std::move(timed) | weir::tumbling_window(alert_window, std::move(late)) |
           weir::aggregate(error_count(run.settings.alert)).counted_in(run.books, std::string(alerts_name));
  });
  while (auto* const c = co_await counts.next()) {
    alert_row row{c->window.start, c->window.end, c->value.requests, c->value.errors};
    if (run.settings.alert.is_met(row.requests, row.errors)) run.out.alerts.put(row);
    else run.out.alerts.remove(row.key());  // a correction may say that there was no reason
  }
}

}  // namespace weblog
