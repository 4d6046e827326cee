#pragma once
#include <weir/stream_context.hpp>
#include <weir/task.hpp>

#include <functional>

namespace weir {

/// The rest of the chain: awaiting what it returns runs the handler (through the middleware further in) once, over the stream from where
/// the frontier stands. Called again, it does so again.
using next_handler = std::function<task<>()>;

/// Something around a handler: timing, tracing, what opens and closes. `pipeline.use(m)`; the first one used is the outermost. Around it is
/// what `pipeline.on_failure` says.
/// ```
/// weir::task<> log_runs(weir::stream_context& context, weir::next_handler next) {
///   context.log().info("begins");
///   co_await next();
///   context.log().info("ends");
/// }
/// ```
/// An exception it lets through is a failure of the run; one it swallows counts as success of the run, but the frontier never passes what
/// the handler did not finish.
using middleware = std::function<task<>(stream_context&, next_handler)>;

}  // namespace weir
