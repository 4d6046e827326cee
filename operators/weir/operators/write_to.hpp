#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/write_stage.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>
#include <weir/store_write.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// What `write_to` takes: it makes of rows a part of a commit. `sqlite::table`, `postgres::table` and `memory_table` are such.
template <class S>
concept transactional_sink = requires(S& s, std::vector<typename S::row_type> rows) {
  { s.write(std::move(rows)) } -> std::same_as<std::shared_ptr<store_write>>;
};

namespace detail {

template <class Sink> class write_description {
public:
  using operator_tag = void;
  explicit write_description(Sink s) : sink_(std::move(s)) {}
  template <class Chain> auto append(Chain&& c) && {
    using element = typename std::remove_cvref_t<Chain>::element_type;
    using row = typename Sink::row_type;
    static_assert(std::same_as<element, row>, "weir: write_to's sink takes another type; put map(...) in front of it");
    if constexpr (!std::same_as<element, row>) return rejected();
    else return std::forward<Chain>(c).with(plain<nothing>(), write_stage<row, Sink>(std::move(sink_)));
  }

private:
  Sink sink_;
};

}  // namespace detail

/// Ends a chain in a transactional sink: its rows are written by the commit that says that they are done.
/// ```cpp
/// auto all = std::move(ticks) | event_time(&tick::time, bounded_disorder(5s)) | key_by(&tick::symbol) |
///            tumbling_window(1min, late::drop()) | aggregate(last()) | map(to_row) | write_to(bars);
/// co_await all;
/// ```
/// Whatever happens between, each result is in the sink once: rows and checkpoint are one transaction of `settings.checkpoints`, for which
/// the sink must have been made (`errc::misuse` at the first commit otherwise). How soon they are visible is the commit policy's.
/// - Emits: nothing.   Backpressures: while a commit is written.
/// - Completes when: upstream completes; what came since the last checkpoint is written with the last commit of the run.
/// - Fails when: upstream fails; when the store refuses a row, the commit fails, and halts the pipeline.   Cancelled: at the next chunk.
/// State: the rows since the last checkpoint, which a restart makes again.   Outside of an application there are no commits, and nothing is
/// written. Source: two-phase commit sinks of Apache Flink, without the second phase: sink and checkpoint are one store.
template <transactional_sink Sink> auto write_to(Sink sink) { return detail::write_description<Sink>(std::move(sink)); }

}  // namespace weir
