#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace weir::detail {

// Output of a fused chain: elements constructed in place, storage kept between chunks, and beside each element the index of the
// input it came from. Not a std::vector: g++ 12 reads a vector's two pointers back with one 16-byte load right after an 8-byte
// store, which stalls for some 5 ns per chunk.
template <class T> class out_buffer {
public:
  // NOLINTNEXTLINE(bugprone-sizeof-expression): an element may well be a pointer
  static constexpr std::uint32_t room = static_cast<std::uint32_t>(std::clamp<std::size_t>(8192 / sizeof(T), 1, 256));
  out_buffer() = default;
  out_buffer(out_buffer const&) = delete;
  out_buffer& operator=(out_buffer const&) = delete;
  ~out_buffer() {
    clear();
    release();
  }

  /// False: enough for one chunk.
  template <class U> bool put(U&& u, std::uint32_t origin) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    std::construct_at(data_ + size_, std::forward<U>(u));
    origins_[size_] = origin;
    return ++size_ < room;
  }
  void clear() noexcept {
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy_n(data_, size_);
    size_ = 0;
  }
  T* data() noexcept { return data_; }
  T const* data() const noexcept { return data_; }
  std::uint32_t size() const noexcept { return size_; }
  std::uint32_t origin(std::size_t i) const noexcept { return origins_[i]; }
  void set_origin(std::size_t i, std::uint32_t origin) noexcept { origins_[i] = origin; }

private:
  [[gnu::noinline]] void grow() {
    static_assert(std::is_nothrow_move_constructible_v<T>, "weir: elements that cross a stage need a noexcept move constructor");
    std::uint32_t const capacity = std::max(room, capacity_ * 2);
    auto origins = std::make_unique<std::uint32_t[]>(capacity);
    T* const data = std::allocator<T>().allocate(capacity);
    std::uninitialized_move_n(data_, size_, data);
    std::copy_n(origins_, size_, origins.get());
    std::destroy_n(data_, size_);
    release();
    data_ = data;
    origins_ = origins.release();
    capacity_ = capacity;
  }
  void release() noexcept {
    if (data_) std::allocator<T>().deallocate(data_, capacity_);
    delete[] origins_;
  }

  T* data_ = nullptr;
  std::uint32_t* origins_ = nullptr;
  std::uint32_t size_ = 0, capacity_ = 0;
};

}  // namespace weir::detail
