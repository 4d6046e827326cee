#pragma once

#include <command_line/event_loop.hpp>

#include <weir/state_store.hpp>

#include <memory>
#include <string>

namespace state_tool {

/// A store, what messages call it, and the part of that which its own messages have.
struct found_store {
  std::string name, place;
  std::unique_ptr<weir::state_store> store;
};

/// Each opens a store that exists, and makes none. Errors: `errc::not_found`, `errc::invalid_option` when the library was not built, and
/// those of the store.
found_store open_sqlite(std::string const& file);
found_store open_rocksdb(std::string const& folder);
found_store open_postgres(std::string const& conninfo, std::string const& schema, command_line::event_loop& loop);
found_store open_redis(std::string const& url, std::string const& space);
found_store open_dynamodb(std::string const& table);

/// Says that the program came without the library `component`.
[[noreturn]] void refuse_not_built(std::string const& component);

}  // namespace state_tool
