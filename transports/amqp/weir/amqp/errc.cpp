#include <weir/amqp/errc.hpp>

#include <string>

namespace weir::amqp {
namespace {

class amqp_errors final : public std::error_category {
public:
  char const* name() const noexcept override { return "amqp"; }

  std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
      case errc::truncated: return "the bytes end before the value or the frame does";
      case errc::unknown_encoding: return "a constructor that the standard does not know";
      case errc::wrong_size: return "a size or a count that does not fit what it is of";
      case errc::too_deep: return "values nested deeper than any peer has reason to";
      case errc::wrong_type: return "a value of another type than the field has";
      case errc::missing_field: return "a field that must be there is null";
      case errc::unknown_body: return "a performative, a section or an outcome that the standard does not know";
      case errc::frame_too_large: return "a frame larger than was agreed";
      case errc::wrong_protocol: return "the peer speaks another protocol or another version";
      case errc::out_of_order:
        return "a frame that must not come then: of a session or a link that is not there, or before the connection is open";
      case errc::over_window: return "more transfers than the window of the session allows";
      case errc::too_many: return "more sessions or links than there may be";
      case errc::silent_peer: return "nothing came for longer than the idle time-out";
    }
    return "unknown error " + std::to_string(value);
  }
};

constinit amqp_errors const errors_of_amqp;

}  // namespace

std::error_category const& amqp_category() noexcept { return errors_of_amqp; }
std::error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), errors_of_amqp}; }

}  // namespace weir::amqp
