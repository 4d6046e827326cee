#include "operators/counted_memory.hpp"

#include "support/sanitizer.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace weir::test {
long allocations = 0, bytes_in_use = 0, most_bytes_in_use = 0;
}  // namespace weir::test

#ifndef WEIR_TEST_THREAD_SANITIZER
namespace {
void* counted(void* p) noexcept {
  using namespace weir::test;
  if (!p) return nullptr;
  ++allocations;
  bytes_in_use += static_cast<long>(malloc_usable_size(p));
  most_bytes_in_use = std::max(most_bytes_in_use, bytes_in_use);
  return p;
}
void uncounted(void* p) noexcept {
  if (p) weir::test::bytes_in_use -= static_cast<long>(malloc_usable_size(p));
  std::free(p);
}
}  // namespace
[[gnu::noinline]] void* operator new(std::size_t n) {
  if (void* const p = counted(std::malloc(n))) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t n, std::nothrow_t const&) noexcept { return counted(std::malloc(n)); }
[[gnu::noinline]] void operator delete(void* p) noexcept { uncounted(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { uncounted(p); }
#endif
