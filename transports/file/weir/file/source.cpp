#include <weir/file/source.hpp>

#include <weir/file/record_reader.hpp>
#include <weir/file/replay_schedule.hpp>
#include <weir/metrics.hpp>
#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

namespace weir::file {
namespace {

constexpr std::chrono::nanoseconds longest_sleep = std::chrono::hours(1);  // so that steps of the wall clock are noticed

class dead_letter_count {
public:
  explicit dead_letter_count(std::string_view path) noexcept : labels_{metric_label("partition", path)} {}
  void report(environment& env, std::uint64_t so_far) {
    std::uint64_t const more = so_far - std::exchange(reported_, so_far);
    if (more != 0 && env.metrics) env.metrics->add(metric::dead_letter_total, static_cast<double>(more), labels_);
  }

private:
  std::array<metric_label, 1> labels_;
  std::uint64_t reported_ = 0;
};

// How many records at the front are due.
std::size_t count_due(std::span<record const> records, replay_options const& replay, replay_schedule& schedule, instant now,
                      instant& next) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    next = schedule.due(replay.time(records[i]), now);
    if (next > now) return i;
  }
  return records.size();
}

stream<record> read(std::string path, std::chrono::nanoseconds poll, std::unique_ptr<record_reader> reader) {
  dead_letter_count letters(path);
  std::chrono::nanoseconds quiet{};
  while (true) {
    context& own = co_await current_context();
    std::span<record> const records = reader->read(own.clock().now());
    letters.report(own.environment(), reader->dead_letters());
    if (!records.empty()) {
      quiet = {};
      co_yield records;
      continue;
    }
    if (reader->where() == record_reader::state::ended) co_return;
    if (reader->where() == record_reader::state::reading) {
      quiet = {};
      co_await reschedule();
      own.cancellation().throw_if_requested();
      continue;
    }
    co_yield mark::idle(quiet);
    co_await sleep_for(poll);
    quiet += poll;
  }
}

stream<record> replayed(replay_options replay, stream<record> records) {
  replay_schedule schedule(replay.speed);
  while (chunk<record> c = co_await next_chunk(records)) {
    std::span<record> rest = c.elements;
    while (!rest.empty()) {
      context& own = co_await current_context();
      instant const now = own.clock().now();
      instant due = now;
      std::size_t const n = count_due(rest, replay, schedule, now, due);
      if (n == 0) {
        co_await sleep_for(std::min(std::chrono::nanoseconds(due - now), longest_sleep));
      } else {
        std::span<record> const ready = rest.first(n);
        rest = rest.subspan(n);
        co_yield ready;
      }
    }
    for (mark const& m : c.marks) co_yield m;
  }
}

}  // namespace

source::source(options o) : options_(std::make_shared<options const>(std::move(o))) {
  options_->check();
  name_ = "file " + options_->paths.front();
}

stream<record> source::open(std::string partition, std::optional<weir::position> after) {
  if (std::ranges::find(options_->paths, partition) == options_->paths.end()) {
    throw error(errc::not_found, "file: cannot open", "it is not one of the paths of this source").with_detail(partition);
  }
  auto reader = std::make_unique<record_reader>(options_, partition, after);
  options const& o = *options_;
  std::chrono::nanoseconds const poll = o.follow ? o.follow->poll : std::chrono::nanoseconds(0);
  stream<record> records = read(std::move(partition), poll, std::move(reader));
  if (!o.replay) return records;
  return replayed(*o.replay, std::move(records));
}

}  // namespace weir::file
