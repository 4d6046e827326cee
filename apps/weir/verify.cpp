#include "commands.hpp"
#include "schemas.hpp"
#include "text.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

namespace state_tool {
namespace {

// Empty: it is sound.
std::string problem_of(opened_store& store, weir::checkpoint_key const& key, std::string& content) {
  try {
    auto const found = store.load(key);
    if (!found) return "it is named and cannot be found: it was erased meanwhile, or an index is damaged";
    content = content_text(*found);
    if (auto const schemas = schemas_of(*found); !schemas.empty())
      content += ", " + count_text(schemas.size(), "operator says its schema", "operators say their schemas");
  } catch (weir::error const& e) {
    if (e.code() != weir::errc::corrupt && e.code() != weir::errc::incompatible) throw;
    return e.what();
  }
  return "";
}

}  // namespace

int verify(opened_store& store, options const& o) {
  auto const keys = select_keys(store, o.which);
  std::size_t damaged = 0;
  for (auto const& key : keys) {
    std::string content;
    std::string const problem = problem_of(store, key, content);
    damaged += !problem.empty();
    if (o.json) {
      json_line line;
      line.add_key(key).add_value("sound", problem.empty() ? "true" : "false");
      if (!problem.empty()) line.add("problem", problem);
      line.print();
    } else if (problem.empty()) {
      fmt::print("sound    {}: {}\n", checkpoint_text(key), content);
    } else {
      fmt::print("DAMAGED  {}: {}\n", checkpoint_text(key), problem);
    }
  }
  if (!o.json) fmt::print("{}, {} damaged\n", count_text(keys.size(), "checkpoint", "checkpoints"), damaged);
  return damaged == 0 ? 0 : 1;
}

}  // namespace state_tool
