#pragma once
#include <weir/context.hpp>
#include <weir/detail/partition_sink.hpp>
#include <weir/producer.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// `co_await sink.write(row)`: never waits. It is awaited so that the row comes from a coroutine which says under which context it runs.
template <class Row, class R> class row_writing {
public:
  row_writing(partition_sink_of<Row>& to, R&& row) noexcept : to_(&to), row_(std::addressof(row)) {}
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) noexcept {
    static_assert(
        !std::derived_from<P, mark_carrier>,
        "weir: a generator runs ahead of checkpoints; yield the row, and write it in the handler, or end the stream with write_to");
    by_ = h.promise().ctx;
    return false;
  }
  void await_resume() const { to_->add(*by_, static_cast<R&&>(*row_)); }

private:
  partition_sink_of<Row>* to_;
  std::remove_reference_t<R>* row_;
  context* by_ = nullptr;
};

}  // namespace detail

/// A sink of the pipeline that runs: what `context.sink<Row>("bars")` returns. A value; valid as long as its handler's context. Strand
/// only.
template <class Row> class named_sink {
public:
  using row_type = Row;
  explicit named_sink(detail::partition_sink_of<Row>& to) noexcept : to_(&to) {}

  /// `co_await bars.write(*bar);` writes a row that comes of the element in hand, and of those before it. It goes into the commit of the
  /// checkpoint that says that they are done: it never waits, never comes too early, and never is lost or doubled, as far as the sink's
  /// guarantee goes. When the handler throws, what it has written for the element in hand is dropped with it.
  ///
  /// For the handler that pulls the stream, and the tasks it awaits in place. Beside it, where checkpoints come at another time, a row is
  /// refused (`errc::misuse`: branches of `when_all`, functions of `map_concurrent`), or does not compile (generators). So are the
  /// rows of a handler behind a `split`, at the first commit. There, and where no handler is needed, `write_to` is right. A task that a
  /// generator awaits must not write: that cannot be seen from here.
  ///
  /// A `window(n)` without a name lets records from behind a checkpoint leave in front of it. Rows of such windows that reach their sink
  /// with the checkpoint (by `write_to`, or behind an operator with state) are refused where the sink promises more than at least once.
  template <class R>
    requires std::same_as<std::remove_cvref_t<R>, Row>
  [[nodiscard("a row is written when it is awaited")]] detail::row_writing<Row, R> write(R&& row) const noexcept {
    static_assert(
        std::is_lvalue_reference_v<R> || !std::is_aggregate_v<Row> || std::is_trivially_destructible_v<Row>,
        "weir: g++ 12 destroys an aggregate twice that is created in an expression with co_await; give it a name, and write that");
    return detail::row_writing<Row, R>(*to_, std::forward<R>(row));
  }

  /// For operators: what the sink makes of rows, for the barrier in front of which they came.
  std::shared_ptr<sink_write> part_of_commit(std::vector<Row> rows, barrier const& b) const {
    to_->check(b);
    return to_->write(std::move(rows));
  }
  /// ... and of those that came behind all barriers: of results that were waiting for the end of the data. They are written with the last
  /// commit of the run, and again when a later run has more data.
  void at_end(std::vector<Row> rows) const { to_->leave(to_->write(std::move(rows))); }

private:
  detail::partition_sink_of<Row>* to_;
};

}  // namespace weir
