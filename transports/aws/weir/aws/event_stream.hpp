#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace weir::aws {

/// A message of an event stream: headers by name, and a payload. A view into the decoder that gave it.
struct event_message {
  /// Boolean; byte, short, integer, long, and timestamp (ms since 1970); string, bytes, and UUID (16 bytes).
  using value = std::variant<bool, std::int64_t, std::string_view>;
  /// The value of a header that is a string; empty when there is none.
  std::string_view text(std::string_view name) const noexcept;

  std::vector<std::pair<std::string_view, value>> headers;
  std::string_view payload;
};

/// Cuts the bytes of an event stream (`application/vnd.amazon.eventstream`) into messages, each of which has passed its two checksums.
/// ```cpp
/// decoder.feed(bytes);
/// while (auto const message = decoder.next()) ...
/// ```
/// After an error it is good for nothing any more: where the next message begins is not known.
/// Source: "Event stream encoding" (Smithy's and Amazon Transcribe's documentation).
class event_stream_decoder {
public:
  /// `most`: bytes of a message; services send no larger ones than 16 MiB.
  explicit event_stream_decoder(std::size_t most = 16 * 1024 * 1024) noexcept : most_(most) {}

  /// Takes bytes as they come, in pieces of any size. What `next` gave before is not valid any more.
  void feed(std::string_view bytes);
  /// The next message, valid until the next call of `feed` or `next`; null: more bytes are needed. Throws `errc::corrupt` when a checksum
  /// is wrong, `too_large` for a message above the limit, `malformed` for lengths or headers that cannot be.
  std::optional<event_message> next();
  /// Nothing of a message that is not whole is left: a stream that ends here has ended between two.
  bool at_end() const noexcept { return at_ == bytes_.size(); }

private:
  std::size_t const most_;
  std::string bytes_;
  std::size_t at_ = 0;  // of the first message that was not given
};

}  // namespace weir::aws
