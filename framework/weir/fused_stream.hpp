#pragma once
#include <weir/detail/fused_producer.hpp>
#include <weir/error.hpp>
#include <weir/stage.hpp>
#include <weir/stream.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace weir {

/// `source | stage | stage`: one type, whose loop runs the stages over the elements of a chunk without a coroutine.
///
/// Pulled like a stream (`next()`), converts to `stream<T>` (type-erased) at function boundaries, may be moved between pulls. It is made
/// to run, with one allocation, by the first pull or by the conversion; a chain that was pulled takes no further stage. A failure in a
/// stage ends the chain: what came before is delivered, then it is thrown by `next()`. A chain that ends in `for_each` is awaited itself:
/// `co_await all;`.
///
/// Build it in a statement of its own and await it in the next: g++ 12 destroys a closure twice that is created in an expression with
/// `co_await`.
template <class Shape, bool FromTimed, class Source, class... Stages>
class [[nodiscard("a stream does nothing until it is pulled")]] fused_stream {
public:
  using element_type = typename Shape::element;
  using value_type = element_type;
  using shape_type = Shape;
  static constexpr bool timed = Shape::has_time;

  fused_stream(stream<Source> s, Shape shape, std::tuple<Stages...> stages)
      : source_(std::move(s)), shape_(std::move(shape)), stages_(std::move(stages)) {}

  /// The next element, or null at the end. The pointer is good until the next call.
  detail::next_awaiter<element_type, producer<element_type>> next() { return running().next(); }
  auto operator co_await() &
    requires std::is_same_v<element_type, nothing>
  {
    return next();
  }

  /// Why time does not pass here, and what waits for it. On the strand, between or during pulls.
  explanation explain() const {
    if (running_) return running_.explain();
    explanation e = source_.explain();
    std::apply([&e](auto const&... s) { (detail::explain_stage(s, e), ...); }, stages_);
    return e;
  }

  /// Type erasure, for function boundaries.
  operator stream<element_type>() && { return std::move(running()); }
  operator timed_stream<element_type>() &&
    requires timed
  {
    return timed_stream<element_type>(std::move(running()));
  }

  /// For `detail::lineage`.
  void add_lineage(detail::lineage& l) const {
    if (running_) running_.add_lineage(l);
    else source_.add_lineage(l);
  }
  /// For authors of operators: what flows here, and the chain with one stage more.
  Shape const& shape() const noexcept { return shape_; }
  template <class NewShape, class... New> auto with(NewShape shape, New... stage) && {
    if (running_) throw_pulled();
    return fused_stream<NewShape, FromTimed, Source, Stages..., New...>(
        std::move(source_), std::move(shape), std::tuple_cat(std::move(stages_), std::tuple<New...>(std::move(stage)...)));
  }

  /// The chain with one stage more that changes nothing about what flows.
  template <class New> auto then(New stage) && {
    Shape same = shape_;
    return std::move(*this).with(std::move(same), std::move(stage));
  }

private:
  // Code for running is made for chains that run, and not for those that are a step on the way to one.
  stream<element_type>& running() {
    if (running_) [[likely]]
      return running_;
    if constexpr (sizeof...(Stages) == 0) {
      running_ = std::move(source_);
    } else {
      using runs = detail::fused_producer<Shape, FromTimed, Source, Stages...>;
      running_ = stream<element_type>(new runs(std::move(source_), std::move(stages_)));
    }
    return running_;
  }
  [[noreturn]] static void throw_pulled() {
    throw error(errc::misuse, "stream: cannot add a stage", "the chain was pulled already",
                "convert it to a stream first, or build it whole");
  }

  stream<Source> source_;
  [[no_unique_address]] Shape shape_;
  std::tuple<Stages...> stages_;
  stream<element_type> running_{nullptr};
};

namespace detail {
template <class T> auto as_chain(stream<T>&& s) { return fused_stream<plain<T>, false, T>(std::move(s), {}, {}); }
template <class T> auto as_chain(timed_stream<T>&& s) { return fused_stream<timed<T>, true, T>(std::move(s), {}, {}); }
template <class Shape, bool B, class S, class... G> auto as_chain(fused_stream<Shape, B, S, G...>&& p) { return std::move(p); }
}  // namespace detail

/// What can stand before `|`.
template <class S>
concept stream_like = requires(std::remove_cvref_t<S>&& s) { detail::as_chain(std::move(s)); };

template <stream_like S, operator_description D> auto operator|(S&& s, D d) {
  static_assert(!std::is_lvalue_reference_v<S>, "weir: a stream has one consumer; write std::move(stream) | ...");
  if constexpr (std::is_lvalue_reference_v<S>) return detail::rejected{};
  else return std::move(d).append(detail::as_chain(std::forward<S>(s)));
}

}  // namespace weir
