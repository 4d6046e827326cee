#include "schemas.hpp"

#include <weir/schema_id.hpp>

#include <string>

namespace state_tool {

std::vector<weir::operator_schema> schemas_of(weir::saved_checkpoint const& c) {
  std::vector<weir::operator_schema> out;
  for (auto const& e : c.entries)
    if (is_schema(e)) out.emplace_back(e.key, std::string(reinterpret_cast<char const*>(e.value.data()), e.value.size()));
  return out;
}

bool is_schema(weir::state_entry const& e) { return e.operator_id == weir::schema_id; }

}  // namespace state_tool
