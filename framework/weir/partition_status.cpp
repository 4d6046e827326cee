#include <weir/partition_status.hpp>

#include <algorithm>
#include <utility>

namespace weir {
namespace {

std::string duration_text(std::chrono::nanoseconds d) {
  auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
  if (ms < 10'000) return std::to_string(ms) + " ms";
  return std::to_string(ms / 1000) + " s";
}

std::string_view advice(partition_phase phase) noexcept {
  switch (phase) {
    case partition_phase::starting: return "its checkpoint is loaded and its source opened; if that lasts, see whether both answer";
    case partition_phase::reading: return "all it was given is done, and it waits for its source";
    case partition_phase::handling: return "the handler has what it was given; if that lasts, look at what it waits for";
    case partition_phase::committing: return "a checkpoint is being written; if that lasts, see whether the store and the sinks answer";
    case partition_phase::waiting: return "the handler has failed and is run again in a while; the log says why";
    case partition_phase::halted: return "a restart resumes at the checkpoint";
  }
  return "";
}

}  // namespace

std::string_view to_string(partition_phase phase) noexcept {
  switch (phase) {
    case partition_phase::starting: return "starting";
    case partition_phase::reading: return "reading";
    case partition_phase::handling: return "handling";
    case partition_phase::committing: return "committing";
    case partition_phase::waiting: return "waiting";
    case partition_phase::halted: return "halted";
  }
  return "unknown";
}

std::string partition_figures::text() const {
  std::string out = "pipeline " + pipeline + ", partition " + partition + ": " + std::string(to_string(phase)) + " for " +
                    duration_text(in_phase) + ", " + std::to_string(records) + " records taken, " + std::to_string(frontier_gap) +
                    " of them in no checkpoint, done up to " + (frontier.empty() ? "nothing" : frontier);
  if (!failure.empty()) out += "; it failed: " + failure;
  return (out += "; ") += advice(phase);
}

partition_status::partition_status(std::string pipeline, std::string stream, std::string partition) {
  figures_.pipeline = std::move(pipeline);
  figures_.stream = std::move(stream);
  figures_.partition = std::move(partition);
}

void partition_status::show(partition_figures f) {
  std::lock_guard const held(lock_);
  f.pipeline = std::move(figures_.pipeline);
  f.stream = std::move(figures_.stream);
  f.partition = std::move(figures_.partition);
  f.failure = std::move(figures_.failure);
  std::swap(figures_, f);  // what was there is freed behind the lock, which would be held longer
}

void partition_status::halted(std::string why, std::chrono::nanoseconds now) {
  {
    std::lock_guard const held(lock_);
    figures_.failure = std::move(why);
  }
  enter(partition_phase::halted, now);
}

partition_figures partition_status::look(std::chrono::nanoseconds now) const {
  partition_figures out;
  {
    std::lock_guard const held(lock_);
    out = figures_;
  }
  out.phase = phase();
  out.in_phase = std::max(std::chrono::nanoseconds(0), now - std::chrono::nanoseconds(since_.load(std::memory_order_relaxed)));
  return out;
}

}  // namespace weir
