#include <weir/shared_bytes.hpp>

#include <cstring>
#include <new>

namespace weir {

shared_bytes::shared_bytes(std::size_t capacity) {
  void* const memory = ::operator new(sizeof(block) + capacity);
  block_ = ::new (memory) block{.references = 1, .capacity = capacity, .extensions = nullptr, .padding = 0};
}

shared_bytes shared_bytes::copy_of(std::string_view text) {
  shared_bytes made(text.size());
  if (!text.empty()) std::memcpy(made.data(), text.data(), text.size());
  return made;
}

char* shared_bytes::extend(std::size_t size) {
  void* const memory = ::operator new(sizeof(extension) + size);
  block_->extensions = ::new (memory) extension{.previous = block_->extensions, .padding = 0};
  return reinterpret_cast<char*>(block_->extensions + 1);
}

void shared_bytes::shrink() noexcept { free_extensions(block_); }

void shared_bytes::free_extensions(block* b) noexcept {
  while (extension* const e = b->extensions) {
    b->extensions = e->previous;
    ::operator delete(e);
  }
}

void shared_bytes::destroy(block* b) noexcept {
  free_extensions(b);
  b->~block();
  ::operator delete(b);
}

}  // namespace weir
