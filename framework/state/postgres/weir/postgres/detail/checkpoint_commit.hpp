#pragma once
#include <weir/postgres/connection.hpp>
#include <weir/postgres/detail/checkpoint_rows.hpp>
#include <weir/postgres/detail/state_tables.hpp>
#include <weir/postgres/write.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace weir::postgres::detail {

// One commit, which may be tried again until it is known to have arrived.
class checkpoint_commit {
public:
  // Throws errc::too_large.
  checkpoint_commit(state_tables const& tables, checkpoint_key key, checkpoint_update update, std::vector<std::shared_ptr<write>> writes);

  // One try, on a connection without a transaction. When it throws with the connection open, nothing is changed.
  task<> run(connection& on);
  // Whether a try has got so far that only the server knows.
  bool uncertain() const noexcept { return uncertain_; }

private:
  task<std::int64_t> first_row(connection& on);
  task<std::int64_t> change_entries(connection& on, std::int64_t id);
  task<> write_rows(connection& on);

  state_tables const* tables_;
  checkpoint_key key_;
  checkpoint_update update_;
  std::vector<std::shared_ptr<write>> writes_;
  bool uncertain_ = false;
};

}  // namespace weir::postgres::detail
