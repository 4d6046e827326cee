#include <weir/kinesis/detail/discover_shards.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/gap_watch.hpp>
#include <weir/kinesis/detail/held_up.hpp>
#include <weir/kinesis/detail/list_shards.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>
#include <weir/when_any.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::kinesis::detail {
namespace {

constexpr unsigned tries_at_start = 5;

task<> sleep(std::chrono::nanoseconds d) { co_await sleep_for(d); }
task<> change(std::shared_ptr<source_state> s) {
  if (!s->changed) co_await s->changes.wait();
}

// Until something changes, or for so long.
task<> wait_for_change(std::shared_ptr<source_state> s, std::chrono::nanoseconds d) {
  task<any_result<std::tuple<outcome<void>, outcome<void>>>> first = when_any(change(s), sleep(d));
  auto ended = co_await std::move(first);
  context const& own = co_await current_context();
  own.cancellation().throw_if_requested();
  s->changed = false;
}

shard_progress progress_at(std::optional<position> const& committed, bool given) {
  if (!committed) return given ? shard_progress::some : shard_progress::none;
  return *committed == shard_end ? shard_progress::finished : shard_progress::some;
}

// What is committed of a shard. What fails for a while is tried again, so often in all.
task<std::optional<position>> committed(std::shared_ptr<source_state> s, assignment_view& pipeline, std::string id, unsigned tries) {
  context const& own = co_await current_context();
  retry_policy const again = trying(s, tries);
  for (unsigned failed = 1;; ++failed) {
    std::exception_ptr failure;
    try {
      task<std::optional<position>> asking = pipeline.committed(id);
      std::optional<position> const at = co_await std::move(asking);
      co_return at;
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      failure = std::current_exception();
      log_held_up(own.log(), "loading the checkpoint of a shard", failed, e);
    }
    std::optional<std::chrono::nanoseconds> const delay = again.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    co_await sleep_for(*delay);
  }
}

task<> ask_for_progress(std::shared_ptr<source_state> s, assignment_view& pipeline, unsigned tries) {
  std::vector<std::string> const ids = s->graph.unknown();
  for (std::string const& id : ids) {
    task<std::optional<position>> asking = committed(s, pipeline, id, tries);
    std::optional<position> const at = co_await std::move(asking);
    s->graph.set_progress(id, progress_at(at, s->given(id).has_value()));
  }
}

// As often as the options say, a little earlier now and then; soon where keys are not read, since their shards are about to be listed.
std::chrono::nanoseconds pause(source_state& s, unsigned gap) {
  std::chrono::nanoseconds longest = s.how.discover;
  if (gap != 0) longest = std::min<std::chrono::nanoseconds>(longest, std::chrono::seconds(1) * (1U << std::min(gap - 1, 10U)));
  return longest -
         std::chrono::nanoseconds(static_cast<std::int64_t>(s.random_bits() % static_cast<std::uint64_t>(longest.count() / 8 + 1)));
}

}  // namespace

stream<assignment> discover_shards(std::shared_ptr<source_state> s, assignment_view& pipeline) {
  environment& env = (co_await current_context()).environment();
  s->graph = shard_graph(s->how.start);  // of a run before
  gap_watch gaps;
  unsigned gap = 0;
  instant next_listing = env.clock().now();
  for (bool begun = false;; begun = true) {
    if (env.clock().now() >= next_listing || !s->graph.unread().empty()) {
      unsigned const tries = begun ? for_ever : tries_at_start;
      co_await list_shards(s, tries);
      co_await ask_for_progress(s, pipeline, tries);
      gap = gaps.look(s->graph.unread(), s->how.stream, env.log);
      next_listing = env.clock().now() + pause(*s, gap).count();
    }
    std::vector<std::string> const readable = s->graph.take_readable();
    for (std::string const& id : readable) {
      assignment next(assignment_kind::assigned, id);
      co_yield next;
    }
    co_await wait_for_change(s, std::chrono::nanoseconds(next_listing - env.clock().now()));
  }
}

}  // namespace weir::kinesis::detail
