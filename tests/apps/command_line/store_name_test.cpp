#include <command_line/store_name.hpp>

#include "support/catch.hpp"

#include <string>

using namespace command_line;

TEST_CASE("a store is a path, or what its scheme says") {
  struct row {
    std::string text;
    store_kind kind;
    std::string place;
  };
  for (row const& r : {row{"a.checkpoint", store_kind::sqlite, "a.checkpoint"}, row{"/a/b:c", store_kind::sqlite, "/a/b:c"},
                       row{"sqlite:redis:x", store_kind::sqlite, "redis:x"}, row{"rocksdb:a b", store_kind::rocksdb, "a b"},
                       row{"postgres:host=h dbname=d", store_kind::postgres, "host=h dbname=d"}, row{"postgres:", store_kind::postgres, ""},
                       row{"postgres://u@h/d", store_kind::postgres, "postgres://u@h/d"},
                       row{"postgresql://u@h/d", store_kind::postgres, "postgresql://u@h/d"},
                       row{"postgres:postgresql://h", store_kind::postgres, "postgresql://h"}, row{"redis:h:1", store_kind::redis, "h:1"},
                       row{"redis://h", store_kind::redis, "redis://h"}, row{"dynamodb:t", store_kind::dynamodb, "t"}}) {
    INFO(r.text);
    std::string problem;
    auto const found = parse_store_name(r.text, problem);
    CHECK(problem.empty());
    CHECK(found.kind == r.kind);
    CHECK(found.place == r.place);
  }
  for (std::string const bad : {"", "sqlite:", "rocksdb:", "redis:", "dynamodb:", "mysql://u:s3cret@h"}) {
    INFO(bad);
    std::string problem;
    parse_store_name(bad, problem);
    CHECK_FALSE(problem.empty());
    CHECK(problem.find("s3cret") == std::string::npos);
  }
}

TEST_CASE("a store of SQLite is a file, others are none") {
  std::string problem;
  CHECK(file_of(parse_store_name("sqlite:a b", problem)) == "a b");
  CHECK(file_of(parse_store_name("rocksdb:a b", problem)).empty());
  CHECK(file_of(parse_store_name("postgres:host=h", problem)).empty());
}
