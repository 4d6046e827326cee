#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace weir::file {

/// Inflates gzip data (RFC 1952): one member or several after one another, which are one text. Performs no I/O: compressed bytes in, bytes
/// of text out. About 40 KiB of state.
class gzip_inflater {
public:
  enum class outcome : std::uint8_t {
    more_input,        ///< all input is used up
    output_full,       ///< there may be more text: call again with room
    corrupt,           ///< the data or a checksum is wrong; what was produced before is sound
    trailing_garbage,  ///< what follows the last member is not another one
  };
  struct step {
    std::size_t consumed = 0;  ///< bytes taken from the input
    std::size_t produced = 0;  ///< bytes of text written to the output
    outcome what = outcome::more_input;
  };

  gzip_inflater();
  ~gzip_inflater();
  gzip_inflater(gzip_inflater const&) = delete;
  gzip_inflater& operator=(gzip_inflater const&) = delete;

  /// Inflates from `input` into `output`, which has room. Not called again after `corrupt` or `trailing_garbage`.
  step inflate(std::string_view input, std::span<char> output);
  /// Whether the input may end here: after a member. False: it is truncated.
  bool complete() const noexcept { return between_members_; }
  /// Whether `data` begins like a gzip file.
  static bool recognises(std::string_view data) noexcept { return data.starts_with("\x1f\x8b"); }

private:
  struct state;
  std::unique_ptr<state> state_;
  bool between_members_ = false;
  bool any_member_ = false;
};

}  // namespace weir::file
