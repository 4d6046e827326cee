#pragma once
#include <weir/message.hpp>

#include <string>

namespace weir::file {

/// A message as one line of JSON, without its end: `{"pipeline":"ticks/bars","stream":"file ticks.ndjson","partition":"ticks.ndjson",
/// "topic":"bar:closed","number":7,"payload":"..."}`. A value that is not UTF-8 is written in hexadecimal digits, under its name with
/// `_hex` behind it.
std::string message_line(message const& m);

}  // namespace weir::file
