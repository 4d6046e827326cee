#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/sasl.hpp>

namespace weir::amqp {
namespace {

template <class T> result<sasl_body> sasl_of(value_view list) noexcept {
  auto const out = detail::read_fields<T>(list);
  if (!out) return out.error();
  return sasl_body(*out);
}

}  // namespace

bool sasl_mechanisms::has(std::string_view mechanism) const noexcept {
  auto const all = value_reader(server_mechanisms.bytes).next();
  if (!all) return false;
  if (all->text()) return all->text() == mechanism;
  for (item_reader items = all->items(); items.left() != 0;) {
    auto const one = items.next();
    if (!one) return false;
    if (one->text() == mechanism) return true;
  }
  return false;
}

result<sasl_body> read_sasl(value_reader& body) noexcept {
  auto const parts = detail::read_described(body);
  if (!parts) return parts.error();
  switch (parts->first) {
    case sasl_mechanisms::code: return sasl_of<sasl_mechanisms>(parts->second);
    case sasl_init::code: return sasl_of<sasl_init>(parts->second);
    case sasl_challenge::code: return sasl_of<sasl_challenge>(parts->second);
    case sasl_response::code: return sasl_of<sasl_response>(parts->second);
    case sasl_outcome::code: return sasl_of<sasl_outcome>(parts->second);
    default: return errc::unknown_body;
  }
}

}  // namespace weir::amqp
