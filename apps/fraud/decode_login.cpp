#include "decode_login.hpp"

#include <string>
#include <utility>

namespace fraud {

using command_line::field_fault;

boost::system::result<login, field_fault> decode_login(login_decoder::values const& values) {
  auto const account = command_line::name_value(values[0]);
  if (!account) return field_fault{0, command_line::name_expected};
  auto const time = command_line::time_value(values[1]);
  if (!time) return field_fault{1, command_line::time_expected};
  auto const latitude = command_line::number_value(values[2], -90, 90);
  if (!latitude) return field_fault{2, "degrees from -90 to 90"};
  auto const longitude = command_line::number_value(values[3], -180, 180);
  if (!longitude) return field_fault{3, "degrees from -180 to 180"};
  auto const success = command_line::truth_value(values[4]);
  if (!success) return field_fault{4, command_line::truth_expected};
  return login{std::string(*account), *time, place{*latitude, *longitude}, *success};
}

login_decoder decoder_of_logins(weir::file::broken_line_policy policy) {
  return login_decoder("fraud", std::move(policy), {"account", "time", "latitude", "longitude", "success"}, decode_login);
}

}  // namespace fraud
