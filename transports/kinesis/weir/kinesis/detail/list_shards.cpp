#include <weir/kinesis/detail/list_shards.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/held_up.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/sleep.hpp>

#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace weir::kinesis::detail {
namespace {

// A stream that is just being made will have shards soon.
bool passes(std::exception const& e) {
  auto const* const known = dynamic_cast<error const*>(&e);
  return known && (known->code() == condition::retryable || known->code() == errc::resource_in_use);
}

}  // namespace

void say_lost(logger const& log, std::string_view stream, std::string_view shard_id) {
  log.error("kinesis: records are lost (stream " + std::string(stream) + ", partition " + std::string(shard_id) +
            "): the shard is gone, and not all of it was read; read faster, or let the stream keep records longer");
}

task<std::vector<shard>> listed_shards(std::shared_ptr<source_state> s) {
  request_slots::slot const held = co_await s->slots.take();
  task<std::vector<shard>> asking = s->service->list_shards(s->how.stream);
  std::vector<shard> listed = co_await std::move(asking);
  co_return listed;
}

retry_policy trying(std::shared_ptr<source_state> const& s, unsigned tries) {
  return retry_policy().attempts(tries).first_delay(std::chrono::milliseconds(500)).cap(std::chrono::seconds(20)).when(passes).random([s] {
    return s->random_bits();
  });
}

task<> list_shards(std::shared_ptr<source_state> s, unsigned tries) {
  context const& own = co_await current_context();
  retry_policy const again = trying(s, tries);
  for (unsigned failed = 1;; ++failed) {
    std::exception_ptr failure;
    try {
      task<std::vector<shard>> asking = listed_shards(s);
      std::vector<shard> const listed = co_await std::move(asking);
      s->graph.update(listed);
      for (std::string const& id : s->graph.take_missed()) say_lost(own.log(), s->how.stream, id);
      co_return;
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      e.with_stream(s->how.stream);
      failure = std::current_exception();
      log_held_up(own.log(), "listing shards", failed, e);
    }
    std::optional<std::chrono::nanoseconds> const delay = again.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    co_await sleep_for(*delay);
  }
}

}  // namespace weir::kinesis::detail
