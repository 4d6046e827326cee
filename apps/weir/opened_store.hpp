#pragma once

#include <command_line/event_loop.hpp>
#include <command_line/store_name.hpp>

#include <weir/state_store.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace state_tool {

/// Where in a server a store is.
struct store_options {
  std::string schema = "weir";  ///< of PostgreSQL
  std::string space = "weir";   ///< of Redis
};

/// A store that was there before, with calls that return when they are done. Errors: those of the store, which name it.
class opened_store {
public:
  /// Makes nothing: a store that does not exist is `errc::not_found`. A library that was not built is `errc::invalid_option`.
  opened_store(command_line::store_name const& name, store_options const& options);

  /// As messages call it: without passwords.
  std::string const& name() const noexcept { return name_; }

  std::vector<weir::checkpoint_key> keys();
  std::vector<weir::checkpoint_listing> list(std::string pipeline);
  std::optional<weir::saved_checkpoint> load(weir::checkpoint_key key);
  void commit(weir::checkpoint_key key, weir::checkpoint_update update);
  void erase(weir::checkpoint_key key);

private:
  template <class Work> auto named(Work work);

  command_line::event_loop loop_;
  std::string name_, place_;  // the second is in messages of the store
  std::unique_ptr<weir::state_store> store_;
};

}  // namespace state_tool
