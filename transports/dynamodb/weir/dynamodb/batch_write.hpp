#pragma once
#include <weir/dynamodb/attribute_value.hpp>

#include <cstdint>
#include <utility>

namespace weir::dynamodb {

/// One of many writes that are sent together. They have no conditions, and are no transaction: each is done by itself.
class batch_write {
public:
  enum class kind : std::uint8_t { put, erase };
  /// Puts a whole item in the place of the one with its key.
  static batch_write put(item whole) noexcept { return {kind::put, std::move(whole)}; }
  /// Deletes the item of that key; nothing when there is none.
  static batch_write erase(item key) noexcept { return {kind::erase, std::move(key)}; }

  kind what() const noexcept { return what_; }
  item const& attributes() const noexcept { return attributes_; }

private:
  batch_write(kind k, item i) noexcept : what_(k), attributes_(std::move(i)) {}

  kind what_;
  item attributes_;
};

}  // namespace weir::dynamodb
