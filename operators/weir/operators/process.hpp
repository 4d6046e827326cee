#pragma once
#include <weir/aggregate_codec.hpp>
#include <weir/codec.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/process_stage.hpp>
#include <weir/operators/detail/working_set.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/key_counts.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F>
concept says_what_it_keeps = requires {
  typename F::state;
  typename F::output;
};

template <class F, class Expiry, class Kept = all_in_memory>
class process_description : public named_operator<process_description<F, Expiry, Kept>> {
public:
  using operator_tag = void;
  process_description(F f, Expiry e, naming n = naming(), std::shared_ptr<key_counts> keys = nullptr, Kept kept = Kept())
      : named_operator<process_description>(std::move(n)),
        f_(std::move(f)),
        expiry_(std::move(e)),
        keys_(std::move(keys)),
        kept_(std::move(kept)) {}
  /// Keeps the books of its keys in `counts`, from zero.
  process_description&& keys_counted_in(std::shared_ptr<key_counts> counts) && {
    keys_ = std::move(counts);
    return std::move(*this);
  }
  /// How many keys may stay in memory, 1 or more; the others are read from the store.
  auto working_set(std::size_t keys) && {
    return process_description<F, Expiry, detail::working_set>(std::move(f_), std::move(expiry_), std::move(this->naming_),
                                                               std::move(keys_), detail::working_set("process", keys));
  }

  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    static_assert(shape::has_time, "weir: process needs event time; put event_time(...) before it");
    static_assert(shape::has_key, "weir: process keeps its state per key; put key_by(...) before it");
    static_assert(!shape::has_window, "weir: process is not for windows; put aggregate(...) between a window and it");
    if constexpr (!shape::has_time || !shape::has_key || shape::has_window) return rejected();
    else return bind(std::forward<Chain>(c));
  }

private:
  template <class Chain> auto bind(Chain&& c) {
    using T = typename std::remove_cvref_t<Chain>::element_type;
    auto key = c.shape().key;
    using Key = decltype(key);
    using K = owned_key<Key, T>;
    using state = typename F::state;
    using output = typename F::output;
    constexpr bool called = processes<F, T, process_context<K, output>>;
    static_assert(called, "weir: process's function must be callable as element(element, state&, process_context<key, output>&)");
    constexpr bool kept = std::default_initializable<state> && std::movable<state> && std::movable<K>;
    static_assert(kept, "weir: process keeps keys and states in a table: both must be movable, and the state default-constructible");
    constexpr bool saved = encodable<K> && encodable<state>;
    static_assert(saved,
                  "weir: key and state of process are part of checkpoints and need a codec: make them trivially copyable, a standard "
                  "container of such, a simple struct of such, or specialise weir::codec for them; pointers and views have none");
    if constexpr (!called || !kept || !saved) {
      return rejected();
    } else {
      return std::forward<Chain>(c).with(
          timed<output>(), process_stage<K, T, Key, F, Expiry, Kept>(std::move(key), std::move(f_), std::move(expiry_), std::move(keys_),
                                                                     std::move(kept_), this->naming_));
    }
  }
  F f_;
  Expiry expiry_;
  std::shared_ptr<key_counts> keys_;
  [[no_unique_address]] Kept kept_;
};

// A function and the type of its state, as a class.
template <class State, class Out, class F> class simple_process {
public:
  using state = State;
  using output = Out;
  explicit simple_process(F f) : f_(std::move(f)) {}
  template <class X, class C>
    requires std::invocable<F&, X, State&, C&>
  void element(X&& x, State& s, C& c) {
    std::invoke(f_, std::forward<X>(x), s, c);
  }

private:
  [[no_unique_address]] F f_;
};

}  // namespace detail

/// Calls `f` for each element with the state of its key, and for the timers it sets: what the other operators on time cannot say.
///
/// ```cpp
/// struct silence {                                         // tells of a sensor that says nothing for a minute
///   using output = alarm;
///   struct state { std::optional<weir::instant> waits_for; };
///   void element(reading const&, state& s, auto& c) {
///     if (s.waits_for) c.cancel_timer(*s.waits_for);
///     s.waits_for = c.later(1min);
///     c.set_timer(*s.waits_for);
///   }
///   void timer(weir::instant at, state&, auto& c) { c.emit(alarm(c.key(), at)); }
/// };
/// auto alarms = std::move(readings) | event_time(...) | key_by(&reading::sensor) | process(silence(), expire_after(5min));
/// ```
/// `f` has the types `output` and `state` (one per key, value-initialised, movable, `encodable`; `value_state`, `list_state` and
/// `map_state` help), the function `element(element, state&, context&)`, and where it sets timers `timer(at, state&, context&)` (event
/// time) and `processing_timer(at, state&, context&)`. The context is a `process_context<key, output>`. The element is given away. For the
/// simple case: `process<int, alert>([](login const& l, int& failures, auto& c) { ... }, expire_after(10min))`.
///
/// Late elements come like any other: `c.is_late()`. Event timers fire when the watermark reaches them (w >= at), in the order of their
/// times, for one time in the order in which their keys were first seen; each with all those before it done, however far the watermark
/// steps. Results have the element's or the timer's event time and precede the watermark. How long a key is kept, `expiry` says:
/// `expire_after(10min)` or `never_expires()`. When the data ends, time passes to its end: timers fire and keys expire in order.
///
/// A side output is what `f` holds: a callable, a handle to a sink. It sees what an element gave even when a later one fails, and after a
/// restart it sees elements again that came behind the last checkpoint, so it should be idempotent. What waits in memory to be written
/// later (a queue that the handler empties) is lost in a crash, as the checkpoint does not wait for it: emit what must not be lost.
/// ```cpp
/// explicit checked(std::function<void(login const&)> rejected);    // in element(): if (!valid(l)) return rejected_(l);
/// ```
/// `.keys_counted_in(std::make_shared<key_counts>())` keeps the books of its keys, `.counted_in(books, account)` those of its
/// elements (each counts as out at once), `.named(id)` names it.
///
/// `.working_set(n)` is for more keys than memory holds: at most `n` keys stay there, beside those that have changed since a commit, and
/// those that changed least lately leave with the barriers. They are read from the store of checkpoints when an element or a timer comes
/// for them, which blocks the strand for some microseconds; it must be able to read single entries (`rocksdb::state_store`; in tests
/// `memory_state_store`). Of a key that waits for a timer or its expiry, the key and 60 bytes stay in memory, and a restart reads all
/// keys once to find them. Of others nothing stays, and a key that is new costs a question to the store's filters. Results are the same.
/// Once it is in a checkpoint, the option has to stay (`errc::incompatible` otherwise); `n` may change.
/// - Emits when: `f` does.   Backpressures when: downstream does; what one call or one watermark gives is handed over together.
/// - Completes when: upstream completes. A stream that was stopped fires nothing: its timers are in the checkpoint.
/// - Fails when: upstream, the key or `f` fails; results of calls before are delivered, and the element it failed for stays
///   unacknowledged.   Cancelled: at the next chunk.
/// State per key: the key, the state and 30 to 43 bytes; 28 more where it can expire or has timers; 32 for each kind of timer that `f`
/// has a function for, and 8 to 16 per timer. Checkpointed.
/// A changed `expiry` holds for restored keys too.   Errors: `errc::misuse` for timers that cannot fire; `errc::corrupt`, or
/// `errc::incompatible` where timers were kept that `f` no longer has a function for, or keys or states of another schema (`schema_of`;
/// `migrate_rows` makes them of this one); `errc::misuse` at the first checkpoint where a working set is asked for and the store cannot
/// read single entries, and what reading it throws.   Source: `KeyedProcessFunction` of Flink; timers of the Beam model.
template <class F, detail::expiry Expiry> auto process(F f, Expiry expiry) {
  static_assert(detail::says_what_it_keeps<F>,
                "weir: process needs a class with the types output and state and a function element(element, state&, context&); for a "
                "function alone, name both types: process<state, output>(f, expire_after(10min))");
  if constexpr (detail::says_what_it_keeps<F>) return detail::process_description<F, Expiry>(std::move(f), std::move(expiry));
  else return detail::rejected_description();
}

/// The same for a function `f(element, state&, context&)` that sets no timers.
template <class State, class Out, class F, detail::expiry Expiry> auto process(F f, Expiry expiry) {
  return detail::process_description<detail::simple_process<State, Out, F>, Expiry>(detail::simple_process<State, Out, F>(std::move(f)),
                                                                                    std::move(expiry));
}

/// Refused: how long keys are kept has no default.
template <class F> auto process(F) {
  static_assert(std::is_void_v<F>,
                "weir: say how long process keeps a key that nothing touches: process(f, expire_after(10min)), or process(f, "
                "never_expires())");
  return detail::rejected_description();
}

}  // namespace weir
