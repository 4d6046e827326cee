#pragma once
#include <weir/postgres/connection_options.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace weir::postgres::detail {

// What libpq is to connect with, by keyword.
class server_settings {
public:
  // Throws errc::invalid_option for options out of their range and for what is no connection string.
  explicit server_settings(connection_options const& options);

  // Looks the host's name up, which libpq would do blocking. Fails with errc::unavailable, errc::timed_out.
  task<> find_hosts(std::chrono::steady_clock::time_point until);
  // The server as messages name it, without secrets: "db.example:5432/bars as weir".
  std::string name() const;
  std::vector<std::pair<std::string, std::string>> const& all() const noexcept { return settings_; }

private:
  std::string get(std::string const& keyword) const;
  void set(std::string keyword, std::string value);

  std::vector<std::pair<std::string, std::string>> settings_;
};

}  // namespace weir::postgres::detail
