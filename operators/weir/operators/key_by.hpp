#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/partition_key.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class Key> class key_by_description {
public:
  using operator_tag = void;
  explicit key_by_description(Key key) : key_(std::move(key)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    static_assert(gives_key<Key, element>, "weir: key_by's function must take this element, by const reference, and return its key");
    if constexpr (!gives_key<Key, element>) {
      return rejected();
    } else {
      using key = owned_key<Key, element>;
      static_assert(hashable_key<key>, "weir: a key needs operator== and std::hash (or Boost's hash_value)");
      if constexpr (!hashable_key<key>) return rejected();
      else {
        keyed<shape, Key> by_key(c.shape(), std::move(key_));
        return std::forward<Chain>(c).with(std::move(by_key));
      }
    }
  }

private:
  Key key_;
};

}  // namespace detail

/// Says what the elements' key is, for the keyed operator that follows. The elements stay as and where they are.
///
/// `key` takes the element by const reference, or is a pointer to a member. It must give the same key for the same element each
/// time it is called. Keys are compared with == and hashed by `std::hash` or Boost's `hash_value`. Works on a stream without end;
/// `partition_by` is its sibling for bounded batches. It costs nothing by itself.
/// - Emits when: an element came.   Backpressures when: downstream does.   Completes when: upstream completes.
/// - Fails when: upstream does; a `key` that throws fails the operator that asks for it.   Cancelled: at the next chunk.
/// State: none; that of the operators behind it belongs to the key.   Errors: none of its own.   Source: Dataflow model, section 2.
///
/// When a partition ends and goes on in others (a shard is split or merged), what operators keep for a key goes to the one that gets the
/// records of the key from then on. So it has to be known which partition key those have: of a text it is the text itself, of a whole
/// number its digits; of other keys, and where it is something else, say it: `key_by(key, partitioned_by(f))`. It is checked when a
/// partition ends, as a key whose records were not there shows that they are partitioned by something else: `errc::misuse`, and all state
/// is kept. So it is for `event_time`, `dedup`, windows in time, `process` and `scan` with a key. What others keep cannot be divided (those
/// without a key, `window(n)`, `global_window`, `merge` and joins, working sets): a partition where there is such state halts at its end,
/// with their names, and a warning says so with its first checkpoint.
template <class Key> auto key_by(Key key) { return detail::key_by_description<Key>(std::move(key)); }

/// Which partition key the records of a key have, see `key_by`.
template <class F> struct partitioned_by {
  explicit partitioned_by(F f) : partition_key(std::move(f)) {}
  F partition_key;
};

/// The same with what is not the key itself, or not seen from it: `key_by(&trade::market_and_symbol, partitioned_by(f))`, where `f` takes a
/// key by const reference and returns a text. All records of a key must have the same.
template <class Key, class F> auto key_by(Key key, partitioned_by<F> by) {
  return detail::key_by_description<detail::routed_key<Key, F>>(detail::routed_key<Key, F>(std::move(key), std::move(by.partition_key)));
}

}  // namespace weir
