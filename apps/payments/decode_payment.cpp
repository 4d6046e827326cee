#include "decode_payment.hpp"

#include <string>
#include <utility>

namespace payments {

using command_line::field_fault;

boost::system::result<payment, field_fault> decode_payment(payment_decoder::values const& values) {
  auto const id = command_line::name_value(values[0]);
  if (!id) return field_fault{0, command_line::name_expected};
  auto const key = command_line::name_value(values[1]);
  if (!key) return field_fault{1, command_line::name_expected};
  auto const amount = cents::parse(values[2].text());
  if (!amount) return field_fault{2, "an amount with up to two digits behind the point, without exponent"};
  auto const time = command_line::time_value(values[3]);
  if (!time) return field_fault{3, command_line::time_expected};
  return payment{std::string(*id), std::string(*key), *amount, *time};
}

payment_decoder decoder_of_payments(weir::file::broken_line_policy policy) {
  return payment_decoder("payments", std::move(policy), {"id", "key", "amount", "time"}, decode_payment);
}

}  // namespace payments
