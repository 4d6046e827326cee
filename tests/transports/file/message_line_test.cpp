#include <weir/file/message_line.hpp>

#include "support/catch.hpp"

#include <string>

using namespace weir;

// The quoting is that of RFC 8259 section 7.
TEST_CASE("a message is a line of JSON", "[file][outbox]") {
  CHECK(file::message_line(message("ticks/bars", "file \"t\"", "t\\1", "bar:closed", 7, "a\tb \xc3\xa9")) ==
        R"({"pipeline":"ticks/bars","stream":"file \"t\"","partition":"t\\1","topic":"bar:closed","number":7,"payload":"a\u0009b é"})");
}

TEST_CASE("the bytes of a message that are no text are written in hexadecimal digits", "[file][outbox]") {
  CHECK(file::message_line(message("p", "s", "0", "t", 18'446'744'073'709'551'615U, std::string("\0\xff\n", 3))) ==
        R"({"pipeline":"p","stream":"s","partition":"0","topic":"t","number":18446744073709551615,"payload_hex":"00ff0a"})");
}
