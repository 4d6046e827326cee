#include "open_store.hpp"

#ifdef WEIR_HAS_DYNAMODB
#include <weir/dynamodb/state_store.hpp>

#include <utility>

namespace state_tool {

found_store open_dynamodb(std::string const& table) {
  weir::dynamodb::client const calls;
  weir::dynamodb::state_store_options o;
  o.table = table;
  o.when_missing = weir::dynamodb::missing_table::refuse;
  std::string name = "dynamodb " + calls.url() + ", table " + table;
  return {std::move(name), table, std::make_unique<weir::dynamodb::state_store>(calls, std::move(o))};
}

}  // namespace state_tool
#else
namespace state_tool {
found_store open_dynamodb(std::string const&) { refuse_not_built("dynamodb"); }
}  // namespace state_tool
#endif
