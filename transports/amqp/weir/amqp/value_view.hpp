#pragma once
#include <weir/amqp/result.hpp>
#include <weir/amqp/type.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace weir::amqp {
namespace detail {
struct raw_reading;
}

class item_reader;

/// A value as it stands in its encoding. A view: it costs no memory and lives as long as the bytes do.
///
/// Of a list, a map or an array only the size is known to fit; what is in it is looked at when it is read (`items`). Whether a string is
/// UTF-8 is not.
/// Thread-safety: as a value. Source: AMQP 1.0, 1.2 and 1.6.
class value_view {
public:
  /// Null.
  value_view() = default;

  amqp::type type() const noexcept { return type_; }
  bool is_null() const noexcept { return type_ == type::null; }

  /// What it is, when it is that; nothing otherwise, as for null. Integers of every width and sign, when the value fits.
  std::optional<bool> boolean() const noexcept;
  std::optional<std::uint64_t> unsigned_integer() const noexcept;
  std::optional<std::int64_t> integer() const noexcept;
  /// float and double.
  std::optional<double> number() const noexcept;
  /// ms since 1970.
  std::optional<std::int64_t> timestamp() const noexcept;
  std::optional<char32_t> character() const noexcept;
  /// A string or a symbol.
  std::optional<std::string_view> text() const noexcept;
  /// The bytes of a binary.
  std::optional<std::string_view> binary() const noexcept;
  /// 16 bytes.
  std::optional<std::string_view> uuid() const noexcept;

  /// What is in a list, a map (keys and values in turns) or an array. Nothing in any other. What the items of an array are described by
  /// stands once, in the array, and is left out: they are given as if they were not.
  item_reader items() const noexcept;
  /// How many `items` has to give, as the encoding says.
  std::size_t count() const noexcept { return is_compound() ? static_cast<std::size_t>(bits_) : 0; }
  /// What a described value is said to be by, and the value. Null, null for any other.
  result<std::pair<value_view, value_view>> description() const noexcept;

  /// The bits of a number, decimals and floating point ones too; sign extended.
  std::uint64_t bits() const noexcept { return bits_; }
  /// The bytes of a binary, string, symbol, uuid or decimal128; of a list and a map those of the items; of an array
  /// those of its items, without their constructor; of a described value all of it.
  std::string_view bytes() const noexcept { return bytes_; }

private:
  friend class value_reader;

  bool is_compound() const noexcept { return type_ == type::list || type_ == type::map || type_ == type::array; }

  std::string_view bytes_;
  std::uint64_t bits_ = 0;  // the value, or the count of items
  amqp::type type_ = type::null;
  std::uint8_t constructor_ = 0;  // of the items of an array
};

/// Takes values off the front of some bytes.
class value_reader {
public:
  explicit value_reader(std::string_view bytes) noexcept : left_(bytes) {}

  bool at_end() const noexcept { return left_.empty(); }
  /// What has not been read.
  std::string_view left() const noexcept { return left_; }
  /// The next value. `errc::truncated`, `unknown_encoding`, `wrong_size`, `too_deep` (described by more than eight, one in the other).
  result<value_view> next() noexcept;
  /// One whose constructor stands elsewhere: an item of an array.
  result<value_view> next_of(std::uint8_t constructor) noexcept;

private:
  friend class item_reader;
  friend struct detail::raw_reading;

  // What is wrong, 0: nothing; `out` is a null. A result that carries a value costs as much as to read it.
  using fault = errc;
  fault take(value_view& out) noexcept;
  fault take_of(std::uint8_t constructor, value_view& out) noexcept;
  fault take_described(value_view& out) noexcept;
  fault take_compound(std::uint8_t constructor, value_view& out) noexcept;
  static fault look_at_array(std::string_view bytes, std::size_t count, value_view& out) noexcept;

  std::string_view left_;
};

/// Takes items off the front of a list, a map or an array.
/// ```cpp
/// for (item_reader items = list.items(); items.left() != 0;) {
///   auto const item = items.next();
///   if (!item) return item.error();
/// ```
class item_reader {
public:
  item_reader() noexcept : reader_({}) {}

  /// How many are to come.
  std::size_t left() const noexcept { return left_; }
  /// Their encoding.
  std::string_view bytes() const noexcept { return reader_.left(); }
  /// The next one; null when there is none. As `value_reader::next`; `wrong_size` for bytes behind the last.
  result<value_view> next() noexcept;
  /// The same to where it is to be, which is a null before, and costs less: what is wrong, `errc()` for nothing. There is one.
  errc take(value_view& out) noexcept;

private:
  friend class value_view;
  item_reader(std::string_view bytes, std::size_t count, std::uint8_t constructor) noexcept
      : reader_(bytes), left_(count), constructor_(constructor) {}

  value_reader reader_;
  std::size_t left_ = 0;
  std::uint8_t constructor_ = 0;  // an array's; 0: each item brings its own
};

/// The value that the map has under the key (a string or a symbol); null where it has none, and for what is no map.
/// `errc` of `value_reader::next`, when it comes upon that.
result<value_view> find(value_view map, std::string_view key) noexcept;

}  // namespace weir::amqp
