#pragma once
#include <weir/file/field_text.hpp>
#include <weir/instant.hpp>
#include <weir/position.hpp>
#include <weir/record.hpp>
#include <weir/shared_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace weir::file {

/// A line of a file. It shares the block of bytes that it was read into, so it may be kept for longer than its chunk; a record that is
/// kept keeps its whole block (see `options::block_size`). 56 bytes; a move copies no text and a record costs no allocation.
///
/// A record that was moved from has neither text nor fields any more, but still knows its position.
/// Thread-safety: as a value; records of one block may be used and destroyed on different threads.
class record {
public:
  record() noexcept = default;
  record(record const&) noexcept = default;
  record& operator=(record const&) noexcept = default;
  record(record&& o) noexcept
      : block_(std::move(o.block_)),
        text_(std::exchange(o.text_, nullptr)),
        fields_(std::exchange(o.fields_, nullptr)),
        next_(o.next_),
        number_(o.number_),
        arrival_(o.arrival_),
        size_(std::exchange(o.size_, 0)),
        field_count_(std::exchange(o.field_count_, 0)),
        break_size_(o.break_size_) {}
  record& operator=(record&& o) noexcept {
    record moved(std::move(o));
    block_ = std::move(moved.block_);
    text_ = moved.text_;
    fields_ = moved.fields_;
    next_ = moved.next_;
    number_ = moved.number_;
    arrival_ = moved.arrival_;
    size_ = moved.size_;
    field_count_ = moved.field_count_;
    break_size_ = moved.break_size_;
    return *this;
  }
  ~record() = default;

  /// The line without its line break; of the first line of a file also without a byte order mark.
  std::string_view line() const noexcept { return std::string_view(text_, size_); }
  std::string_view payload() const noexcept { return line(); }
  /// The path, as it was given. Valid as long as the record.
  std::string_view partition_key() const noexcept { return block_ ? path_of(block_) : std::string_view(); }
  /// Where to resume behind this record: the offset of the byte behind the line and its line break, and the line's number. In a gzip file
  /// offsets count the uncompressed text.
  weir::position position() const noexcept { return weir::position(next_, number_); }
  /// When the line was read, on the clock of the pipeline.
  instant arrival() const noexcept { return arrival_; }

  /// The first line of the file is 1; a header counts.
  std::uint64_t line_number() const noexcept { return number_; }
  /// Where the line begins.
  std::uint64_t offset() const noexcept { return next_ - size_ - break_size_; }

  /// How many fields were selected: `options::fields` and, behind them, `options::optional_fields`.
  std::size_t field_count() const noexcept { return field_count_; }
  /// The text of a selected field: of a JSON string its content, of anything else its text in the file; of a missing one empty.
  /// Precondition: `i < field_count()`.
  std::string_view field(std::size_t i) const noexcept { return fields_[i].text(); }
  /// What it is. A field of `options::fields` is never missing, null or nested.
  field_kind kind(std::size_t i) const noexcept { return fields_[i].kind(); }

private:
  friend class record_builder;
  // At the front of each block stand the size of the path and the path.
  using path_size = std::size_t;
  static std::string_view path_of(shared_bytes const& block) noexcept {
    path_size size = 0;
    std::memcpy(&size, block.data(), sizeof size);
    return std::string_view(block.data() + sizeof size, size);
  }

  shared_bytes block_;
  char const* text_ = nullptr;
  field_text const* fields_ = nullptr;
  std::uint64_t next_ = 0, number_ = 0;
  instant arrival_ = 0;
  std::uint32_t size_ = 0;
  std::uint16_t field_count_ = 0;
  std::uint16_t break_size_ = 0;  // of the line break, or of what else stands between the text and `next_`
};
static_assert(sizeof(record) <= 64);
static_assert(stream_record<record>);

}  // namespace weir::file
