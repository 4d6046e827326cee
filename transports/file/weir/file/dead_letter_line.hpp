#pragma once
#include <weir/dead_letter.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace weir::file {

// `file::dead_letter` is a function of options.hpp; the letter is always called by its full name here.

/// A dead letter as one line of JSON, without its end: `{"pipeline":"ticks/bars","stream":"file ticks.ndjson","partition":"ticks.ndjson",
/// "position":"312.5","died_at":"2024-08-08T23:54:15.342Z","attempts":3,"code":"weir:9","error":"...","payload":"..."}`. A value that is
/// not UTF-8 is written in hexadecimal digits, under its name with `_hex` behind it.
std::string dead_letter_line(weir::dead_letter const& letter);

/// Reads it back to an equal letter; null for a line that is none.
std::optional<weir::dead_letter> parse_dead_letter(std::string_view line);

}  // namespace weir::file
