#pragma once
#include <weir/sqlite/state_store.hpp>
#include <weir/store_write.hpp>

namespace weir::sqlite {

class database;

/// What a sink writes with a commit to a `sqlite::state_store`, into its file: `table` makes such.
class write : public store_write {
public:
  /// In the commit's transaction. When it throws, all of that is undone; it is called again when the commit is tried again.
  virtual void apply(database& file) const = 0;

protected:
  explicit write(state_store const& by) noexcept : store_write(by) {}
};

}  // namespace weir::sqlite
