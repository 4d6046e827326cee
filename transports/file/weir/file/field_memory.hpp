#pragma once
#include <weir/file/field_text.hpp>
#include <weir/shared_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace weir::file {

/// Hands out memory from one block, front to back: the tables of fields and the text of fields that had escapes. It lives as long
/// as the block. When the block is used up, the block is extended by 64 KiB at a time.
class field_memory {
public:
  field_memory() noexcept = default;
  /// Memory from `begin` to the end of `block`.
  explicit field_memory(shared_bytes block) noexcept : field_memory(std::move(block), 0) {}
  field_memory(shared_bytes block, std::size_t begin) noexcept
      : block_(std::move(block)), next_(block_.data() + begin), end_(block_.data() + block_.capacity()) {}

  /// A table of `count` missing fields.
  field_text* fields(std::size_t count) {
    constexpr std::uintptr_t align = alignof(field_text);
    char* table = next_ + (align - reinterpret_cast<std::uintptr_t>(next_) % align) % align;
    std::size_t const size = count * sizeof(field_text);
    if (next_ == nullptr || size + align > static_cast<std::size_t>(end_ - next_)) [[unlikely]]
      table = grow(size);
    next_ = table + size;
    if (count == 0) return nullptr;
    field_text* const first = ::new (static_cast<void*>(table)) field_text;
    std::uninitialized_default_construct_n(first + 1, count - 1);
    return first;
  }
  /// At least `size` bytes to write to; `used` says how far they were needed.
  char* bytes(std::size_t size) {
    if (next_ == nullptr || size > static_cast<std::size_t>(end_ - next_)) [[unlikely]]
      return grow(size);
    return next_;
  }
  void used(char* end) noexcept { next_ = end; }

private:
  char* grow(std::size_t size) {
    std::size_t const room = std::max<std::size_t>(size, std::size_t{64} * 1024);
    next_ = block_.extend(room);
    end_ = next_ + room;
    return next_;
  }

  shared_bytes block_;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace weir::file
