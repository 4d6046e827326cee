#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace weir {

/// What went wrong. Programs decide by `condition`, which also covers codes of the system and of Asio; people read the message.
enum class errc {
  invalid_option = 1,  ///< an option or an argument cannot be used
  invalid_pipeline,    ///< a pipeline cannot be built as it is described
  misuse,              ///< a function was called when or with what it must not be
  cancelled,           ///< the work was asked to end before it was done
  timed_out,           ///< the work was not done within its time
  stalled,             ///< nothing can ever wake what waits
  not_found,           ///< the thing that was named does not exist
  end_of_data,         ///< the data ended before what was expected came
  malformed,           ///< data from outside is not of the form it should have
  too_large,           ///< something exceeds the size that is allowed for it
  out_of_range,        ///< a value does not fit where it has to go
  corrupt,             ///< stored data fails its own check
  incompatible,        ///< stored data is of another program or version
  io,                  ///< reading or writing failed
  no_space,            ///< the disk is full
  access_denied,       ///< it may not be read, or not be written
  busy,                ///< somebody else holds a lock on it
  stale,               ///< somebody else has got further; what was to be saved is out of date
  fenced,              ///< somebody else owns it by now
  throttled,           ///< the service asks for fewer requests
  unavailable,         ///< the service does not answer at the moment
  rejected,            ///< the service understood the request and refuses it
  handler_failed,      ///< the handler of a pipeline threw
  over_budget,         ///< a pipeline needs more memory than it is allowed to have
};

/// How to react: `if (e.code() == condition::retryable)`. Holds for codes of Weir, of the system (errno) and of Asio.
enum class condition {
  retryable = 1,  ///< the same again may succeed: timeouts, throttling, busy or unreachable services, interrupted calls
  throttled,      ///< ask less often; also `retryable`
  fenced,         ///< somebody else owns the partition or has got further: let go of it, do not retry
  cancelled,      ///< the work was asked to end; not a failure of its own
  not_found,      ///< the thing that was named does not exist
};

/// The category of `errc`, "weir". Its messages are the sentences above.
std::error_category const& weir_category() noexcept;
/// The category of `condition`, "weir condition".
std::error_category const& condition_category() noexcept;
/// Found by `std::error_code(errc)`.
std::error_code make_error_code(errc e) noexcept;
/// Found by `std::error_condition(condition)`.
std::error_condition make_error_condition(condition c) noexcept;

/// What Weir's public functions throw. `what()` shows everything it knows, in the form
/// "component: what failed (ids): why; what to do":
/// ```cpp
/// throw error(errc::stale, "checkpoint: cannot save", "the store has position 17", "stop the other worker").with_partition("3");
/// ```
/// says "checkpoint: cannot save (partition 3): the store has position 17; stop the other worker". Ids may be added where they are known,
/// further up: `catch (error& e) { e.with_partition("3"); throw; }`.
///
/// Copying never throws. Thread-safety: as a value; copies are independent.
class error : public std::system_error {
public:
  /// `failed` names the component and what failed, `why` the reason, `advice` what to do; the last two may be empty. A message that is
  /// already whole may be given as `failed`.
  explicit error(std::error_code code, std::string failed, std::string why = {}, std::string advice = {});
  explicit error(errc code, std::string failed, std::string why = {}, std::string advice = {});
  error(error const&) noexcept = default;  // also in place of a move: an error always has its message
  error& operator=(error const&) noexcept = default;

  /// The ids that go between the brackets. Each returns the error itself.
  error& with_stream(std::string name) &;
  error& with_partition(std::string id) &;
  error& with_position(std::string text) &;
  error& with_request_id(std::string id) &;
  /// Anything else worth a place there: "line 12, byte 345", "after 4 tries". Several add up.
  error& with_detail(std::string text) &;
  error&& with_stream(std::string name) && { return std::move(with_stream(std::move(name))); }
  error&& with_partition(std::string id) && { return std::move(with_partition(std::move(id))); }
  error&& with_position(std::string text) && { return std::move(with_position(std::move(text))); }
  error&& with_request_id(std::string id) && { return std::move(with_request_id(std::move(id))); }
  error&& with_detail(std::string text) && { return std::move(with_detail(std::move(text))); }

  /// Empty where not known.
  std::string const& stream() const noexcept;
  std::string const& partition() const noexcept;
  std::string const& position() const noexcept;
  std::string const& request_id() const noexcept;
  std::string const& why() const noexcept;
  /// The whole message.
  char const* what() const noexcept override;

private:
  struct parts;
  error& change(std::string parts::* field, std::string value);
  std::shared_ptr<parts const> parts_;
};

}  // namespace weir

template <> struct std::is_error_code_enum<weir::errc> : std::true_type {};
template <> struct std::is_error_condition_enum<weir::condition> : std::true_type {};
