#pragma once
#include <weir/codec.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/dedup_stage.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/working_set.hpp>
#include <weir/stage.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class IdOf, class Duplicates, class Unjudged, class Kept = all_in_memory>
class dedup_description : public named_operator<dedup_description<IdOf, Duplicates, Unjudged, Kept>> {
public:
  using operator_tag = void;
  dedup_description(IdOf id, std::chrono::nanoseconds horizon, Duplicates d, Unjudged u, naming n, Kept kept = Kept())
      : named_operator<dedup_description>(std::move(n)),
        id_(std::move(id)),
        horizon_(horizon),
        duplicates_(std::move(d)),
        unjudged_(std::move(u)),
        kept_(std::move(kept)) {
    check_span("dedup", "its horizon", horizon, span_from::one);
  }
  template <class F> auto duplicates_to(F f) && {
    return dedup_description<IdOf, F, Unjudged, Kept>(std::move(id_), horizon_, std::move(f), std::move(unjudged_),
                                                      std::move(this->naming_), std::move(kept_));
  }
  template <class F> auto unjudged_to(F f) && {
    return dedup_description<IdOf, Duplicates, F, Kept>(std::move(id_), horizon_, std::move(duplicates_), std::move(f),
                                                        std::move(this->naming_), std::move(kept_));
  }
  /// How many ids may stay in memory, 1 or more; the others are read from the store.
  auto working_set(std::size_t ids) && {
    return dedup_description<IdOf, Duplicates, Unjudged, detail::working_set>(std::move(id_), horizon_, std::move(duplicates_),
                                                                              std::move(unjudged_), std::move(this->naming_),
                                                                              detail::working_set("dedup", ids));
  }

  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using T = typename shape::element;
    static_assert(shape::has_time, "weir: dedup forgets ids by event time; put event_time(...) before it");
    static_assert(gives_key<IdOf, T>, "weir: dedup's function must take this element, by const reference, and return its id");
    if constexpr (!shape::has_time || !gives_key<IdOf, T>) {
      return rejected();
    } else {
      using Id = owned_key<IdOf, T>;
      constexpr bool usable = hashable_key<Id> && encodable<Id>;
      static_assert(usable, "weir: an id needs operator==, std::hash (or Boost's hash_value), and a codec, as ids are part of checkpoints");
      static_assert(std::invocable<Duplicates&, T&> && std::invocable<Unjudged&, T&>,
                    "weir: duplicates_to and unjudged_to call their function with the element");
      if constexpr (!usable) return rejected();
      else
        return std::forward<Chain>(c).then(dedup_stage<Id, T, IdOf, Duplicates, Unjudged, Kept>(
            std::move(id_), horizon_, std::move(duplicates_), std::move(unjudged_), std::move(kept_), this->naming_));
    }
  }

private:
  IdOf id_;
  std::chrono::nanoseconds horizon_;
  Duplicates duplicates_;
  Unjudged unjudged_;
  [[no_unique_address]] Kept kept_;
};

}  // namespace detail

/// Lets each id through once: an element whose `id` was seen with an event time up to `horizon` away is a duplicate, and dropped.
///
/// Makes an at-least-once source effectively-once: a redelivered element has the id and the event time of the first delivery. Ids are kept
/// by event time and forgotten when the watermark says that no duplicate within the horizon can be expected: between one and two horizons
/// behind it; as long as they are kept, duplicates further away are recognised too. Choose the horizon at least as large as the
/// disorder plus what `late::update` allows behind it. An element so late that its ids are forgotten cannot be judged: it is passed on
/// (a window behind judges it by its late policy). Time and key stay.
/// - `.duplicates_to(f)`: duplicates go to `f(element)`; they are counted either way (`.counted_in(books, account)`).
/// - `.unjudged_to(f)`: elements too late to be judged go to `f(element)` in place of on, and are counted as late.
/// - `.working_set(n)`: for more ids than memory holds. Beside those that no checkpoint has yet, about `n` ids stay in memory; the others
///   leave it by the half of `n`, as sorted blocks in the store of checkpoints, which must be able to read single entries
///   (`rocksdb::state_store`; in tests `memory_state_store`). In memory stay 12 bits of each, a filter. So a new id costs a look at one
///   filter per half of `n` ids that have left, and one in 200 of those a read of the store; a duplicate of an id that has left costs a
///   read, which blocks the strand for some microseconds. Results are the same. Once there are such ids in a checkpoint, the option has to
///   stay (`errc::incompatible` otherwise); `n` may change.
///
/// `id` is a pointer to a member or a function of the element; ids are compared with ==, hashed, and kept whole (text as `std::string`).
/// - Emits when: an element with a new id came.   Backpressures when: downstream does.
/// - Completes when: upstream completes.   Fails when: upstream or `id` fails.   Cancelled: at the next chunk.
/// State: 11 to 23 bytes per id that is a number, for up to two horizons of event time; checkpointed.   `horizon`: 1 ns to 20 years.
/// Errors: `errc::invalid_option` when built; `errc::corrupt` when restored from something else, `errc::incompatible` from ids of another
/// schema (`schema_of`) or with another horizon; `errc::misuse` at the first checkpoint where a working set is asked for and the store
/// cannot read single entries; what reading it throws.
/// Source: "effectively-once", duplicates within a time window as in Dataflow's exactly-once shuffle.
template <class IdOf> auto dedup(IdOf id, std::chrono::nanoseconds horizon) {
  return detail::dedup_description<IdOf, detail::nowhere, detail::nowhere>(std::move(id), horizon, detail::nowhere(), detail::nowhere(),
                                                                           detail::naming());
}

}  // namespace weir
