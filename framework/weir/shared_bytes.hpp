#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace weir {

/// Memory that lives for as long as anyone refers to it: what the records of a chunk view, so that they may outlive the chunk
/// they came in. One pointer; a copy costs one atomic addition, a move nothing.
///
/// Its maker fills it while it is the only one who knows; from then on its bytes do not change. Views into it are plain
/// `std::string_view`s and are valid for as long as one reference is held. A small piece that is kept keeps the whole block.
///
/// Thread-safety: references may be copied and dropped on any thread; filling and `extend` belong to the maker.
class shared_bytes {
public:
  /// None.
  shared_bytes() noexcept = default;
  /// A block of `capacity` bytes, not initialised, aligned for any basic type. One allocation.
  explicit shared_bytes(std::size_t capacity);
  /// A block that holds a copy of `text` and nothing else.
  static shared_bytes copy_of(std::string_view text);

  shared_bytes(shared_bytes const& o) noexcept : block_(o.block_) {
    if (block_) block_->references.fetch_add(1, std::memory_order_relaxed);
  }
  shared_bytes(shared_bytes&& o) noexcept : block_(std::exchange(o.block_, nullptr)) {}
  shared_bytes& operator=(shared_bytes o) noexcept {
    std::swap(block_, o.block_);
    return *this;
  }
  ~shared_bytes() {
    if (block_) drop(block_, 1);
  }

  explicit operator bool() const noexcept { return block_ != nullptr; }
  /// Where the block begins. Precondition of this and the members below: not none.
  char* data() const noexcept { return reinterpret_cast<char*>(block_ + 1); }
  std::size_t capacity() const noexcept { return block_->capacity; }
  std::string_view view() const noexcept { return std::string_view(data(), block_->capacity); }

  /// Whether this is the only reference, so that the block may be filled anew. What others read before they let go has happened.
  bool unique() const noexcept { return block_->references.load(std::memory_order_acquire) == 1; }

  /// `size` more bytes that live as long as the block, for the rare case that it was too small. One allocation.
  char* extend(std::size_t size);
  /// Frees what `extend` gave. Precondition: `unique()`.
  void shrink() noexcept;

  friend bool operator==(shared_bytes const& a, shared_bytes const& b) noexcept { return a.block_ == b.block_; }

private:
  friend class shared_bytes_stock;
  struct extension {
    extension* previous;
    std::uint64_t padding;
  };
  struct block {
    std::atomic<std::uint64_t> references;
    std::size_t capacity;
    extension* extensions;
    std::uint64_t padding;
  };
  explicit shared_bytes(block* owned) noexcept : block_(owned) {}
  static void drop(block* b, std::uint64_t references) noexcept {
    if (b->references.fetch_sub(references, std::memory_order_acq_rel) == references) destroy(b);
  }
  static void destroy(block* b) noexcept;
  static void free_extensions(block* b) noexcept;

  block* block_ = nullptr;
};

/// References to one block bought wholesale: one atomic addition when it is made, at most one subtraction when it ends, and nothing for
/// each reference that is handed out and given back in between. How a source gives every record of a chunk its share.
class shared_bytes_stock {
public:
  shared_bytes_stock() noexcept = default;
  /// `count` references to the block of `of`, which is not none.
  shared_bytes_stock(shared_bytes const& of, std::uint64_t count) noexcept : block_(of.block_), left_(count) {
    block_->references.fetch_add(count, std::memory_order_relaxed);
  }
  shared_bytes_stock(shared_bytes_stock&& o) noexcept : block_(std::exchange(o.block_, nullptr)), left_(std::exchange(o.left_, 0)) {}
  shared_bytes_stock& operator=(shared_bytes_stock o) noexcept {
    std::swap(block_, o.block_);
    std::swap(left_, o.left_);
    return *this;
  }
  ~shared_bytes_stock() {
    if (left_ != 0) shared_bytes::drop(block_, left_);
  }

  std::uint64_t left() const noexcept { return left_; }
  /// One of the references. Precondition: `left() > 0`.
  shared_bytes take() noexcept {
    --left_;
    return shared_bytes(block_);
  }
  /// Takes a reference back; one to another block, or none, is simply dropped.
  void put_back(shared_bytes&& r) noexcept {
    if (r.block_ != block_ || !block_) {
      shared_bytes const gone(std::move(r));
      return;
    }
    r.block_ = nullptr;
    ++left_;
  }

private:
  shared_bytes::block* block_ = nullptr;
  std::uint64_t left_ = 0;
};

}  // namespace weir
