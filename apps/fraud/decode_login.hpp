#pragma once

#include "login.hpp"

#include <weir/file/options.hpp>
#include <command_line/field_decoder.hpp>

namespace fraud {

/// Makes logins of the lines of a file of NDJSON, 5 fields each:
/// `{"account":"a17","time":1735828200000,"latitude":52.52,"longitude":13.405,"success":true}`.
using login_decoder = command_line::field_decoder<login, 5>;

/// A login from the values of its fields, or the first fault: an account's name, a time (ms since the epoch, or RFC 3339), degrees, true or
/// false.
boost::system::result<login, command_line::field_fault> decode_login(login_decoder::values const& values);

/// What does so for records; see there what happens with a record that is no login.
login_decoder decoder_of_logins(weir::file::broken_line_policy policy);

}  // namespace fraud
