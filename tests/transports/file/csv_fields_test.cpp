#include <weir/file/csv_fields.hpp>

#include "padded_text.hpp"
#include "support/catch.hpp"

#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace weir::file;
using weir::shared_bytes;
using weir::test::padded_text;

namespace {

using cells = std::vector<std::string>;

// A row of as many columns as it should have, all of them selected.
class reader {
public:
  explicit reader(std::size_t columns, char delimiter = ',') : names_(names(columns)), csv_(names_, columns, delimiter) {
    REQUIRE_FALSE(csv_.set_columns(names_));
  }
  line_fault row(std::string_view text) {
    text_ = padded_text(text);
    memory_ = field_memory(shared_bytes(1 << 12));
    fields_ = memory_.fields(names_.size());
    csv_.index(text_.view());
    return csv_.parse(text_.view(), fields_, memory_);
  }
  cells all() const {
    cells out;
    for (std::size_t i = 0; i < names_.size(); ++i) out.emplace_back(fields_[i].text());
    return out;
  }

private:
  static cells names(std::size_t n) {
    cells out;
    for (std::size_t i = 0; i < n; ++i) out.push_back("c" + std::to_string(i));
    return out;
  }
  cells names_;
  csv_fields csv_;
  padded_text text_{""};
  field_memory memory_;
  field_text* fields_ = nullptr;
};

void check_row(std::string_view text, cells const& expected, char delimiter = ',') {
  INFO(text);
  reader r(expected.size(), delimiter);
  REQUIRE_FALSE(r.row(text));
  CHECK(r.all() == expected);
}

void check_fault(std::string_view text, std::size_t columns, fault_kind kind, std::size_t at) {
  INFO(text);
  line_fault const f = reader(columns).row(text);
  CHECK(f.kind == kind);
  CHECK(f.at == at);
}

// RFC 4180 by its grammar, one character after another; null: it does not match.
std::optional<cells> oracle(std::string const& row) {
  cells out;
  std::size_t i = 0;
  while (true) {
    std::string cell;
    if (i < row.size() && row[i] == '"') {
      ++i;
      while (true) {
        if (i == row.size()) return std::nullopt;
        if (row[i] != '"') cell += row[i++];
        else if (i + 1 < row.size() && row[i + 1] == '"') cell += '"', i += 2;
        else break;
      }
      ++i;
      if (i < row.size() && row[i] != ',') return std::nullopt;
    } else {
      for (; i < row.size() && row[i] != ','; ++i) {
        if (row[i] == '"') return std::nullopt;
        cell += row[i];
      }
    }
    out.push_back(cell);
    if (i == row.size()) return out;
    ++i;
  }
}

}  // namespace

TEST_CASE("a row is cut at its delimiters") {
  check_row("aaa,bbb,ccc", {"aaa", "bbb", "ccc"});
  check_row("a", {"a"});
  check_row("", {""});
  check_row(",", {"", ""});
  check_row("a,,c,", {"a", "", "c", ""});
  check_row("a;b,c;d", {"a", "b,c", "d"}, ';');
  check_row("a\tb", {"a", "b"}, '\t');
  check_row("12345678,123456789012345678,1234567", {"12345678", "123456789012345678", "1234567"});
}

TEST_CASE("blanks belong to the field") { check_row(" a , b ", {" a ", " b "}); }

TEST_CASE("quoted fields may have delimiters and doubled quotes") {
  check_row(R"("aaa","b,bb","ccc")", {"aaa", "b,bb", "ccc"});
  check_row(R"("aaa","b""bb",ccc)", {"aaa", "b\"bb", "ccc"});  // RFC 4180 section 2.7
  check_row(R"("","""",x)", {"", "\"", "x"});
  check_row(R"("a""","""b")", {"a\"", "\"b"});
}

TEST_CASE("broken quotes are faults at their place") {
  check_fault(R"(a,b"c,d)", 3, fault_kind::quote_in_field, 3);
  check_fault(R"(a,"b"c,d)", 3, fault_kind::after_quote, 5);
  check_fault(R"(a,"b" ,d)", 3, fault_kind::after_quote, 5);
  check_fault(R"(a,"b)", 2, fault_kind::open_quote, 2);
  check_fault(R"(a,"b"")", 2, fault_kind::open_quote, 2);
  check_fault("\"", 1, fault_kind::open_quote, 0);
}

TEST_CASE("a row has as many columns as the header") {
  check_fault("a,b", 3, fault_kind::column_count, 3);
  check_fault("a,b,c,d", 3, fault_kind::column_count, 7);
  CHECK(reader(3).row("a,b").number == 2);
}

TEST_CASE("a row that is not UTF-8 is a fault") {
  check_fault("a,b\xff", 2, fault_kind::not_utf8, 3);
  check_row("\xc3\xa9,\xe2\x82\xac", {"\xc3\xa9", "\xe2\x82\xac"});
}

TEST_CASE("one row that is not UTF-8 does not spoil the others of a run") {
  std::vector<std::string> const names{"a"};
  csv_fields csv(names, 1, ',');
  REQUIRE_FALSE(csv.set_columns(names));
  padded_text const run("one\n\xff\nthree");
  field_memory memory(shared_bytes(4096));
  auto* const fields = memory.fields(1);
  csv.index(run.view());
  CHECK_FALSE(csv.parse(run.view().substr(0, 3), fields, memory));
  CHECK(csv.parse(run.view().substr(4, 1), fields, memory).kind == fault_kind::not_utf8);
  CHECK_FALSE(csv.parse(run.view().substr(6, 5), fields, memory));
}

TEST_CASE("the header says where the selected columns are") {
  std::vector<std::string> const names{"price", "the \"time\"", "absent"};
  csv_fields csv(names, 2, ',');
  CHECK(csv.columns().empty());
  REQUIRE_FALSE(csv.set_header(R"(x,"the ""time""",price)"));
  CHECK(csv.columns() == cells{"x", "the \"time\"", "price"});
  padded_text const row("1,2,3");
  field_memory memory(shared_bytes(4096));
  auto* const fields = memory.fields(3);
  csv.index(row.view());
  REQUIRE_FALSE(csv.parse(row.view(), fields, memory));
  CHECK(fields[0].text() == "3");
  CHECK(fields[1].text() == "2");
  CHECK(fields[2].kind() == field_kind::missing);
  CHECK(fields[0].kind() == field_kind::string);
}

TEST_CASE("a header without a required column, or with a selected one twice, is a fault") {
  std::vector<std::string> const names{"a", "b"};
  csv_fields csv(names, 2, ',');
  CHECK(csv.set_header("a,c").kind == fault_kind::field_missing);
  CHECK(csv.set_header("a,c").number == 1);
  CHECK(csv.set_header("a,b,a").kind == fault_kind::field_twice);
  CHECK(csv.set_header("a,\"b").kind == fault_kind::open_quote);
  CHECK(csv.set_header("a,b\xff").kind == fault_kind::not_utf8);
  CHECK_FALSE(csv.set_header("c,a,b,c"));
}

TEST_CASE("random rows are read exactly as the grammar says") {
  std::mt19937 random(4180);
  std::string const alphabet = "ab,,\"\"x";
  int good = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string row(random() % 24, ' ');
    for (char& c : row) c = alphabet[random() % alphabet.size()];
    INFO(row);
    auto const expected = oracle(row);
    if (!expected) {
      auto const f = reader(1).row(row);
      bool const quotes = f.kind == fault_kind::quote_in_field || f.kind == fault_kind::after_quote || f.kind == fault_kind::open_quote;
      REQUIRE(quotes);
      continue;
    }
    ++good;
    reader r(expected->size());
    REQUIRE_FALSE(r.row(row));
    REQUIRE(r.all() == *expected);
  }
  CHECK(good > 1000);
}
