#pragma once
#include <system_error>

namespace weir::amqp {

/// What a peer's bytes have wrong, or what it asks for that cannot be.
/// Source: AMQP 1.0 (OASIS, 2012), part 1 for values and part 2 for frames.
enum class errc {
  truncated = 1,     ///< the bytes end before the value or the frame does
  unknown_encoding,  ///< a constructor that the standard does not know
  wrong_size,        ///< a size or a count that does not fit what it is of
  too_deep,          ///< values nested deeper than any peer has reason to
  wrong_type,        ///< a value of another type than the field has
  missing_field,     ///< a field that must be there is null
  unknown_body,      ///< a performative, a section or an outcome that the standard does not know
  frame_too_large,   ///< a frame larger than was agreed
  wrong_protocol,    ///< the peer speaks another protocol or another version
  out_of_order,      ///< a frame that must not come then: of a session or a link that is not there, or before the connection is open
  over_window,       ///< more transfers than the window of the session allows
  too_many,          ///< more sessions or links than there may be
  silent_peer,       ///< nothing came for longer than the idle time-out
};

/// The category of `errc`, "amqp". Its messages are the sentences above. The connection that they come of cannot go on.
std::error_category const& amqp_category() noexcept;
/// Found by `std::error_code(errc)`.
std::error_code make_error_code(errc e) noexcept;

}  // namespace weir::amqp

template <> struct std::is_error_code_enum<weir::amqp::errc> : std::true_type {};
