#include <kinesis_access/access.hpp>

namespace kinesis_access {

weir::kinesis::client_options client_of(command_line::kinesis_place const& place) {
  weir::kinesis::client_options o;
  o.where.region = place.region;
  o.where.url = place.endpoint;
  return o;
}

weir::kinesis::starting_position position_of(command_line::reading_start const& start) {
  using kind = command_line::reading_start::kind;
  using weir::kinesis::starting_position;
  switch (start.what) {
    case kind::latest: return starting_position::latest();
    case kind::time: return starting_position::at(weir::instant(start.time));
    case kind::trim_horizon: break;
  }
  return starting_position::trim_horizon();
}

}  // namespace kinesis_access
