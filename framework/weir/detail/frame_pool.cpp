#include <weir/detail/frame_pool.hpp>

#include <new>

namespace weir::detail {

struct frame_pool::janitor {
  janitor() noexcept { state_ = state::open; }
  janitor(janitor const&) = delete;
  janitor& operator=(janitor const&) = delete;
  ~janitor() {
    state_ = state::closed;
    for (list& l : lists_) {
      while (node* const n = l.head) {
        l.head = n->next;
        ::operator delete(n);
      }
      l.length = 0;
    }
  }
};

void* frame_pool::fresh(std::size_t bytes) {
  std::size_t const c = (bytes - 1) / step;
  return ::operator new(c < classes ? (c + 1) * step : bytes);
}

void frame_pool::give_slowly(void* p, std::size_t bytes) noexcept {
  if (state_ == state::unused) {
    static thread_local janitor const tidy;  // registers the clean-up at thread exit
    (void)tidy;
    return give(p, bytes);
  }
  ::operator delete(p);
}

}  // namespace weir::detail
