#include <weir/run_again.hpp>
#include <weir/sleep.hpp>

#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace weir {
namespace {

std::string reason(std::exception_ptr const& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (std::exception const& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

task<> run_until_done(retry_policy policy, stream_context& context, next_handler next) {
  unsigned failed = 0;
  std::optional<position> reached;
  for (;;) {
    std::exception_ptr failure;
    try {
      co_await next();
    } catch (...) {
      failure = std::current_exception();
    }
    if (!failure) co_return;
    std::optional<position> const now = context.checkpointer().frontier();
    if (now != reached) failed = 0;
    reached = now;
    std::optional<std::chrono::nanoseconds> const delay = policy.after(failure, ++failed);
    if (!delay || context.cancellation().requested()) std::rethrow_exception(failure);
    context.log().warning("handler: failed (pipeline " + std::string(context.pipeline()) + ", partition " +
                          std::string(context.partition()) + ", done up to " + (now ? now->text() : std::string("nothing")) +
                          "): " + reason(failure) + "; running it again from there");
    co_await sleep_for(*delay);
  }
}

}  // namespace

middleware run_again(retry_policy policy) {
  return
      [policy = std::move(policy)](stream_context& context, next_handler next) { return run_until_done(policy, context, std::move(next)); };
}

}  // namespace weir
