#pragma once
#include <weir/postgres/connection.hpp>
#include <weir/task.hpp>

#include <string>
#include <string_view>

namespace weir::postgres::detail {

// The tables of a store: their names, how they are made, and whether they are ours.
class state_tables {
public:
  // Throws errc::invalid_option for what cannot be the name of a schema.
  explicit state_tables(std::string schema);

  // Makes the tables where there are none. Fails with errc::incompatible when they belong to another program or version. Sets what a
  // connection needs for them.
  task<> prepare(connection& on) const;

  // `sql` with each @ replaced by the quoted schema and a dot.
  std::string with_names(std::string_view sql) const;
  std::string const& schema() const noexcept { return schema_; }

private:
  task<> create(connection& on) const;
  task<bool> exists(connection& on, std::string table) const;

  std::string schema_, quoted_;
};

}  // namespace weir::postgres::detail
