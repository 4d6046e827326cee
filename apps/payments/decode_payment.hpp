#pragma once

#include "payment.hpp"

#include <weir/file/options.hpp>
#include <command_line/field_decoder.hpp>

namespace payments {

/// Makes payments of the lines of a file of NDJSON, 4 fields each:
/// `{"id":"pay-101","key":"shop-a","amount":"19.90","time":1735828205000}`.
using payment_decoder = command_line::field_decoder<payment, 4>;

/// A payment from the values of its fields, or the first fault: names, an amount with up to two digits behind the point (as number or
/// text), a time (ms since the epoch, or RFC 3339).
boost::system::result<payment, command_line::field_fault> decode_payment(payment_decoder::values const& values);

/// What does so for records; see there what happens with a record that is no payment.
payment_decoder decoder_of_payments(weir::file::broken_line_policy policy);

}  // namespace payments
