#include <weir/kinesis/errc.hpp>

#include <array>
#include <string>
#include <utility>

namespace weir::kinesis {
namespace {

class category final : public std::error_category {
public:
  char const* name() const noexcept override { return "kinesis"; }

  std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
      case errc::expired_iterator: return "the shard iterator is more than five minutes old";
      case errc::expired_next_token: return "the token of a page is more than five minutes old";
      case errc::resource_in_use: return "the stream or the consumer is being changed, or there already is one of that name";
      case errc::invalid_argument: return "an argument is out of its range";
      case errc::key_unusable: return "the KMS key which the stream is encrypted by is disabled, deleted or not ready";
      case errc::unknown_operation: return "whoever answers there does not know this operation";
    }
    return "unknown error " + std::to_string(value);
  }
};

constinit category const errors;

}  // namespace

std::error_category const& kinesis_category() noexcept { return errors; }
std::error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), errors}; }

// Source: the errors of each operation, Kinesis Data Streams API reference; ValidationException and UnknownOperationException are those
// of the protocol, for all operations.
std::optional<std::error_code> code_of(std::string_view said) noexcept {
  static constexpr std::array<std::pair<std::string_view, errc>, 10> all{{
      {"ExpiredIteratorException", errc::expired_iterator},
      {"ExpiredNextTokenException", errc::expired_next_token},
      {"ResourceInUseException", errc::resource_in_use},
      {"InvalidArgumentException", errc::invalid_argument},
      {"ValidationException", errc::invalid_argument},
      {"KMSDisabledException", errc::key_unusable},
      {"KMSInvalidStateException", errc::key_unusable},
      {"KMSNotFoundException", errc::key_unusable},
      {"KMSOptInRequired", errc::key_unusable},
      {"UnknownOperationException", errc::unknown_operation},
  }};
  for (auto const& [name, code] : all)
    if (name == said) return make_error_code(code);
  return std::nullopt;
}

}  // namespace weir::kinesis
