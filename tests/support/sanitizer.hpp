#pragma once

// Which sanitizer is built in, for what cannot be looked at under it. AddressSanitizer keeps freed memory for a while, and its leak check
// does not work under ptrace; ThreadSanitizer has its own operator new, which cannot be replaced.
#if defined(__SANITIZE_ADDRESS__)
#define WEIR_TEST_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define WEIR_TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIR_TEST_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define WEIR_TEST_THREAD_SANITIZER 1
#endif
#endif

namespace weir::test {

#ifdef WEIR_TEST_ADDRESS_SANITIZER
inline constexpr bool address_sanitizer = true;
#else
inline constexpr bool address_sanitizer = false;
#endif
#ifdef WEIR_TEST_THREAD_SANITIZER
inline constexpr bool thread_sanitizer = true;
#else
inline constexpr bool thread_sanitizer = false;
#endif

}  // namespace weir::test
