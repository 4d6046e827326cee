#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/key_text.hpp>
#include <weir/operators/time_window.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace weir {

/// Which result one is: of which pipeline and operator, for which key and window, and which of its revisions. A value; compared by all
/// five.
///
/// It is the same whenever the same elements are replayed, so a sink that remembers it, or that overwrites by it, has each effect once:
/// ```cpp
/// auto const id = weir::identify("ticks", "bars", bar);   // bar: a window_result
/// store.upsert(id.row_key(), id.revision(), bar.value);   // "ticks/bars/BTC%2FUSD/1704067200000000000/1704067260000000000"
/// ```
/// As text, parts stand between slashes, and what is not a letter, a digit or one of `-._~` is percent-encoded in them, byte by byte: no
/// two identities have the same text, and it may stand in a URL and be the key in any store. Texts and numbers as keys stay readable;
/// pairs, tuples and arrays are `(a,b)`; other keys are their checkpoint encoding in hexadecimal digits. Length: not limited; three
/// characters per byte of the key at most.   Source: percent-encoding, RFC 3986 section 2.
class result_identity {
public:
  /// `key` as `key_text` gives it.
  result_identity(std::string pipeline, std::string operator_name, std::string key, time_window window, std::uint32_t revision)
      : pipeline_(std::move(pipeline)), operator_(std::move(operator_name)), key_(std::move(key)), window_(window), revision_(revision) {}

  std::string const& pipeline() const noexcept { return pipeline_; }
  std::string const& operator_name() const noexcept { return operator_; }
  /// The key as text, encoded.
  std::string const& key() const noexcept { return key_; }
  time_window window() const noexcept { return window_; }
  std::uint32_t revision() const noexcept { return revision_; }

  /// `pipeline/operator/key/start/end/revision`, times in nanoseconds since the epoch: an idempotency key.
  std::string text() const;
  /// The same without the revision: the key of the row that later revisions overwrite.
  std::string row_key() const;

  friend bool operator==(result_identity const&, result_identity const&) = default;
  friend std::strong_ordering operator<=>(result_identity const&, result_identity const&) = default;
  friend std::size_t hash_value(result_identity const& id) noexcept;

private:
  std::string pipeline_, operator_, key_;
  time_window window_;
  std::uint32_t revision_;
};

/// A key as it stands in identities: the same text for equal keys, different texts for different ones of a type.
template <detail::identifying K> std::string key_text(K const& key) { return detail::text_of_key(key); }

/// The identity of a result of `operator_name` (its `.named(id)`) in `pipeline`.
template <class K, class R> result_identity identify(std::string pipeline, std::string operator_name, window_result<K, R> const& r) {
  static_assert(
      detail::identifying<K>,
      "weir: this key has no text that is the same in every run: it needs a codec, and no padding; use text, numbers, enumerations, "
      "or pairs and tuples of them, or specialise weir::codec for it");
  if constexpr (detail::identifying<K>)
    return result_identity(std::move(pipeline), std::move(operator_name), key_text(r.key), r.window, r.revision);
  else return result_identity({}, {}, {}, {}, 0);
}

}  // namespace weir

template <> struct std::hash<weir::result_identity> {
  std::size_t operator()(weir::result_identity const& id) const noexcept { return hash_value(id); }
};
