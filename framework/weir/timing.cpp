#include <weir/timing.hpp>

#include <array>
#include <exception>
#include <utility>

namespace weir {
namespace {

task<> timed_run(std::function<void(stream_context const&, run_timing)> report, stream_context& context, next_handler next) {
  instant const start = context.clock().now();
  std::exception_ptr failure;
  try {
    co_await next();
  } catch (...) {
    failure = std::current_exception();
  }
  report(context, run_timing(std::chrono::nanoseconds(context.clock().now() - start), !failure));
  if (failure) std::rethrow_exception(failure);
}

void to_metrics(stream_context const& context, run_timing run) {
  metrics* const m = context.metrics();
  if (!m) return;
  std::array const labels{metric_label("pipeline", context.pipeline()), metric_label("partition", context.partition())};
  m->set("handler_seconds", std::chrono::duration<double>(run.took()).count(), labels);
  if (!run.succeeded()) m->add("handler_failures_total", 1, labels);
}

}  // namespace

middleware timing(std::function<void(stream_context const&, run_timing)> report) {
  return [report = std::move(report)](stream_context& context, next_handler next) { return timed_run(report, context, std::move(next)); };
}

middleware timing() { return timing(to_metrics); }

}  // namespace weir
