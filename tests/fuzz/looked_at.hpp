#pragma once
#include <weir/amqp/value_view.hpp>

#include <cstddef>
#include <cstdint>

namespace weir::test {

/// Looks at all that is in a value, to some depth, as a reader could; how many values that were.
inline std::size_t looked_at(amqp::value_view v, unsigned depth = 0) {
  std::size_t out = 1;
  std::uint64_t volatile sink = v.bits();
  sink = sink + v.boolean().value_or(false) + v.unsigned_integer().value_or(0) + static_cast<std::uint64_t>(v.integer().value_or(0)) +
         static_cast<std::uint64_t>(v.timestamp().value_or(0)) + v.character().value_or(0) + (v.number().value_or(0) > 0 ? 1U : 0U);
  for (auto const text : {v.text(), v.binary(), v.uuid()})
    if (text)
      for (char const c : *text) sink = sink + static_cast<unsigned char>(c);
  if (depth == 6) return out;
  if (auto const described = v.description()) {
    if (!described->second.is_null()) out += looked_at(described->first, depth + 1) + looked_at(described->second, depth + 1);
  }
  for (amqp::item_reader items = v.items(); items.left() != 0 && out < 10'000;) {
    auto const item = items.next();
    if (!item) break;
    out += looked_at(*item, depth + 1);
  }
  (void)amqp::find(v, "x-opt-offset");
  return out;
}

}  // namespace weir::test
