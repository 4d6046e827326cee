#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/performatives.hpp>

namespace weir::amqp {
namespace {

template <class T> result<performative> performative_of(value_view list) noexcept {
  auto const out = detail::read_fields<T>(list);
  if (!out) return out.error();
  return performative(*out);
}

}  // namespace

result<performative> read_performative(value_reader& body) noexcept {
  auto const parts = detail::read_described(body);
  if (!parts) return parts.error();
  switch (parts->first) {
    case open::code: return performative_of<open>(parts->second);
    case begin::code: return performative_of<begin>(parts->second);
    case attach::code: return performative_of<attach>(parts->second);
    case flow::code: return performative_of<flow>(parts->second);
    case transfer::code: return performative_of<transfer>(parts->second);
    case disposition::code: return performative_of<disposition>(parts->second);
    case detach::code: return performative_of<detach>(parts->second);
    case end::code: return performative_of<end>(parts->second);
    case close::code: return performative_of<close>(parts->second);
    default: return errc::unknown_body;
  }
}

void write_error(encoder& to, std::string_view condition, std::string_view description) {
  error_view error;
  error.condition = {condition};
  error.description = description;
  detail::write_composite(to, error);
}

result<error_view> read_error(encoded_view field) noexcept { return detail::read_composite<error_view>(field); }

}  // namespace weir::amqp
