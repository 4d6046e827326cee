#include "store_name.hpp"

#include <algorithm>
#include <iterator>

namespace command_line {
namespace {

struct scheme {
  std::string_view word;
  store_kind kind;
  bool part_of_place;  // the library wants to see it
};

constexpr scheme schemes[] = {
    {"postgresql://", store_kind::postgres, true}, {"postgres://", store_kind::postgres, true}, {"redis://", store_kind::redis, true},
    {"sqlite:", store_kind::sqlite, false},        {"rocksdb:", store_kind::rocksdb, false},    {"postgres:", store_kind::postgres, false},
    {"redis:", store_kind::redis, false},          {"dynamodb:", store_kind::dynamodb, false},
};

}  // namespace

store_name parse_store_name(std::string_view text, std::string& problem) {
  store_name out;
  auto const* const found = std::find_if(std::begin(schemes), std::end(schemes), [&](scheme const& s) { return text.starts_with(s.word); });
  if (found != std::end(schemes)) {
    out.kind = found->kind;
    if (!found->part_of_place) text.remove_prefix(found->word.size());
  } else if (text.find("://") != std::string_view::npos) {
    problem = "it is none of sqlite:, rocksdb:, postgres:, redis: and dynamodb:, which stores begin with";
  }
  out.place = text;
  if (text.empty() && out.kind != store_kind::postgres) problem = "it names no place";
  return out;
}

std::string file_of(store_name const& name) { return name.kind == store_kind::sqlite ? name.place : std::string(); }

}  // namespace command_line
