#include "open_store.hpp"

#ifdef WEIR_HAS_POSTGRES
#include <weir/error.hpp>
#include <weir/postgres/connection.hpp>
#include <weir/postgres/state_store.hpp>

#include <utility>

namespace state_tool {
namespace {

weir::task<bool> has_tables(weir::postgres::connection& on, std::string schema) {
  co_await on.open();
  weir::postgres::parameters names;
  names.text(schema);
  weir::postgres::statement look(
      "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND "
      "c.relname = 'weir_state_format'",
      std::move(names));
  auto const found = co_await on.query(std::move(look));
  co_return found.integer(0, 0) != 0;
}

}  // namespace

found_store open_postgres(std::string const& conninfo, std::string const& schema, command_line::event_loop& loop) {
  weir::postgres::connection first(conninfo);
  std::string const name = "postgres " + first.server() + ", schema " + schema;
  if (!loop.run(has_tables(first, schema))) {  // a store would make them
    throw weir::error(weir::errc::not_found, "weir: cannot open the store", "the schema has no tables of checkpoints",
                      "give the database of the pipeline, and its schema by --schema")
        .with_detail(name);
  }
  return {name, first.server(), std::make_unique<weir::postgres::state_store>(weir::postgres::state_store_options(conninfo, schema))};
}

}  // namespace state_tool
#else
namespace state_tool {
found_store open_postgres(std::string const&, std::string const&, command_line::event_loop&) { refuse_not_built("postgres"); }
}  // namespace state_tool
#endif
