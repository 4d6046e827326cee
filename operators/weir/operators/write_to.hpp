#pragma once
#include <weir/fused_stream.hpp>
#include <weir/named_sink.hpp>
#include <weir/operators/detail/write_stage.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace weir {

namespace detail {

template <class Row> class write_description {
public:
  using operator_tag = void;
  explicit write_description(named_sink<Row> s) noexcept : sink_(s) {}
  template <class Chain> auto append(Chain&& c) && {
    using element = typename std::remove_cvref_t<Chain>::element_type;
    static_assert(std::same_as<element, Row>, "weir: write_to's sink takes another type; put map(...) in front of it");
    if constexpr (!std::same_as<element, Row>) return rejected();
    else return std::forward<Chain>(c).with(plain<nothing>(), write_stage<Row>(sink_));
  }

private:
  named_sink<Row> sink_;
};

}  // namespace detail

/// Ends a chain in a sink of the pipeline: its rows are written by the commit that says that they are done.
/// ```cpp
/// auto all = std::move(ticks) | event_time(&tick::time, bounded_disorder(5s)) | key_by(&tick::symbol) |
///            tumbling_window(1min, late::drop()) | aggregate(last()) | map(to_row) | write_to(context.sink<bar>("bars"));
/// co_await all;
/// ```
/// Whatever happens between, each result is in the sink as its guarantee says: once, where rows and checkpoint are one transaction. How
/// soon they are visible is the commit policy's.
/// - Emits: nothing.   Backpressures: while a commit is written.
/// - Completes when: upstream completes; what came since the last checkpoint is written with the last commit of the run.
/// - Fails when: upstream fails; when the sink or the store refuses a row, the commit fails, and halts the pipeline.   Cancelled: at the
///   next chunk.
/// State: the rows since the last checkpoint, which a restart makes again. Source: two-phase commit sinks of Apache Flink, without the
/// second phase: sink and checkpoint are one store.
template <class Row> auto write_to(named_sink<Row> sink) { return detail::write_description<Row>(sink); }

}  // namespace weir
