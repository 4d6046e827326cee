#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::amqp {

/// Writes values behind each other, each in its shortest encoding.
/// ```cpp
/// std::string out;
/// encoder to(out);
/// auto const map = to.begin_map();
/// to.symbol("product");
/// to.string("weir");
/// to.end(map);
/// ```
/// Sizes of what is begun are known at its end; until then the bytes behind it are not final.
/// Throws what the string does when memory is short, nothing else. Thread-safety: none. Source: AMQP 1.0, 1.6.
class encoder {
public:
  /// Writes behind what is in `out`, which must outlive it.
  explicit encoder(std::string& out) noexcept : out_(&out) {}

  void null() { byte(0x40); }
  /// No other type becomes one by itself.
  void boolean(std::same_as<bool> auto v) { byte(v ? 0x41 : 0x42); }
  void uint8(std::uint8_t v);
  void uint16(std::uint16_t v);
  void uint32(std::uint32_t v);
  void uint64(std::uint64_t v);
  void int32(std::int32_t v);
  void int64(std::int64_t v);
  void float64(double v);
  /// ms since 1970.
  void timestamp(std::int64_t ms);
  /// 16 bytes.
  void uuid(std::string_view bytes);
  void binary(std::string_view bytes) { sized(0xa0, bytes); }
  /// UTF-8.
  void string(std::string_view text) { sized(0xa1, text); }
  /// ASCII.
  void symbol(std::string_view text) { sized(0xa3, text); }
  /// One that is encoded already.
  void encoded(std::string_view value) {
    count_ += 1;
    out_->append(value);
  }
  /// What the next value is described by, as all of the standard's own are. Both are one value.
  void described_by(std::uint64_t descriptor);
  void described_by_symbol(std::string_view descriptor);

  /// Where a list, a map or an array of symbols began; ends there.
  struct mark {
    std::size_t at;     // of the constructor
    std::size_t items;  // how many there were around it
  };
  mark begin_list() { return begin(0xd0); }
  mark begin_map() { return begin(0xd1); }
  /// Of symbols, which are given by `array_symbol`; of no others.
  mark begin_symbols();
  void array_symbol(std::string_view text);
  void end(mark const& from);
  /// Ends a list of which only the first `items` are worth writing, and they end at `size` of the string.
  void end_at(mark const& from, std::size_t items, std::size_t size);

  /// How many values were written in the innermost that was begun.
  std::size_t count() const noexcept { return count_; }
  /// Bytes in the string.
  std::size_t size() const noexcept { return out_->size(); }

private:
  void byte(std::uint8_t constructor);
  void fixed(std::uint8_t constructor, std::uint64_t value, std::size_t width);
  void sized(std::uint8_t constructor, std::string_view bytes);
  mark begin(std::uint8_t constructor);

  std::string* out_;
  std::size_t count_ = 0;
};

}  // namespace weir::amqp
