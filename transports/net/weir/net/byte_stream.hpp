#pragma once
#include <weir/task.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace weir::net {

/// Bytes both ways between two programs, without any frame of their own: what a protocol above it is spoken over.
///
/// One `read_some` and one `write` may be under way at the same time. Cancelled, or after a failure, it is good for nothing any more and is
/// destroyed. Thread-safety: the strand that opened it.
class byte_stream {
public:
  byte_stream(byte_stream const&) = delete;
  byte_stream& operator=(byte_stream const&) = delete;
  virtual ~byte_stream() = default;

  /// Waits for bytes and puts them to the front of `into`, which is not empty and outlives the task; how many. 0: the peer has ended it as
  /// one should. Fails with `errc::unavailable` when the connection is lost.
  virtual task<std::size_t> read_some(std::span<char> into) = 0;
  /// Returns when the system has all of `bytes`, which outlive the task. Fails as `read_some`. Has no limit of time: a peer that does not
  /// read is waited for until it is cancelled.
  virtual task<> write(std::string_view bytes) = 0;
  /// Says goodbye and closes, within a limit of time, also where the peer does not answer. Does not fail, but by cancellation; what is
  /// under way may still be, and then fails.
  virtual task<> close() = 0;

protected:
  byte_stream() = default;
};

}  // namespace weir::net
