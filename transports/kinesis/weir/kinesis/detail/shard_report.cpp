#include <weir/kinesis/detail/shard_report.hpp>

#include <weir/kinesis/source.hpp>

#include <utility>

namespace weir::kinesis::detail {

shard_report::shard_report(std::string_view stream, std::string_view id)
    : stream_(stream), id_(id), labels_{metric_label("stream", stream_), metric_label("partition", id_)} {}

void shard_report::behind(environment& env, std::optional<std::chrono::milliseconds> lag) {
  if (lag && env.metrics) env.metrics->set(metric::millis_behind_latest, static_cast<double>(lag->count()), labels_);
}

void shard_report::misplaced(environment& env, std::uint64_t so_far) {
  std::uint64_t const more = so_far - std::exchange(misplaced_, so_far);
  if (more == 0) return;
  if (env.metrics) env.metrics->add(misplaced_total, static_cast<double>(more), labels_);
  if (!std::exchange(said_, true)) {
    env.log.warning("kinesis: records are left out (stream " + stream_ + ", partition " + id_ +
                    "): a producer has put them into one whose shard their keys do not belong to, as happens after a split or a merge; "
                    "if it does not send them again, keep them (options::misplaced)");
  }
}

void shard_report::not_ended(environment& env) {
  if (std::exchange(said_open_, true)) return;
  env.log.warning("kinesis: a reply says that a shard has ended (stream " + stream_ + ", partition " + id_ +
                  "): the stream lists it as open, so it is read on behind its last record; is it Kinesis that answers at this address?");
}

}  // namespace weir::kinesis::detail
