#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/key.hpp>
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
template <class Key> auto key_by(Key key) { return detail::key_by_description<Key>(std::move(key)); }

}  // namespace weir
