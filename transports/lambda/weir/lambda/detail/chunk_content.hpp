#pragma once
#include <weir/shared_bytes.hpp>

#include <utility>

namespace weir::lambda::detail {

// What a record is made of: `Fields`, with views into bytes that it shares with the others of its chunk, so that it may be kept for longer.
// Moved from, it still knows its position, and nothing else.
template <class Fields> class chunk_content : public Fields {
public:
  chunk_content() noexcept = default;
  chunk_content(chunk_content const&) noexcept = default;
  chunk_content& operator=(chunk_content const&) noexcept = default;
  chunk_content(chunk_content&& o) noexcept : Fields(o), bytes(std::move(o.bytes)) { o.forget(); }
  chunk_content& operator=(chunk_content&& o) noexcept {
    chunk_content moved(std::move(o));
    Fields::operator=(moved);
    bytes = std::move(moved.bytes);
    return *this;
  }
  ~chunk_content() = default;

  shared_bytes bytes;

private:
  void forget() noexcept {
    auto const at = this->position;
    Fields::operator=(Fields());
    this->position = at;
  }
};

}  // namespace weir::lambda::detail
