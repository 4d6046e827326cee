#pragma once
#include <weir/postgres/state_store.hpp>
#include <weir/postgres/statement.hpp>
#include <weir/store_write.hpp>

#include <vector>

namespace weir::postgres {

/// What a sink writes with a commit to a `postgres::state_store`, into its database: `table` makes such.
class write : public store_write {
public:
  /// What is run in the commit's transaction; asked again when the commit is tried again. When one fails, all of the commit is undone.
  virtual std::vector<statement> statements() const = 0;

protected:
  explicit write(state_store const& by) noexcept : store_write(by) {}
};

}  // namespace weir::postgres
