#include "commands.hpp"
#include "schemas.hpp"
#include "text.hpp"

#include <fmt/format.h>

namespace state_tool {

int list_schemas(opened_store& store, options const& o) {
  auto const keys = select_keys(store, o.which);
  if (keys.empty()) {
    fmt::print(stderr, "no checkpoints in {}\n", store.name());
    return 0;
  }
  table all({{"PIPELINE"}, {"STREAM"}, {"PARTITION"}, {"OPERATOR"}, {"SCHEMA"}});
  for (auto const& key : keys) {
    auto const found = store.load(key);
    if (!found) continue;  // erased meanwhile
    for (auto const& s : schemas_of(*found)) {
      if (o.json) {
        json_line().add_key(key).add_bytes("operator", s.operator_id).add_bytes("schema", s.text).print();
      } else {
        all.add({name_text(key.pipeline), name_text(key.stream), name_text(key.partition), name_text(s.operator_id), name_text(s.text)});
      }
    }
  }
  if (!o.json) all.print();
  return 0;
}

}  // namespace state_tool
