#include <weir/postgres/detail/failure.hpp>

#include "support/catch.hpp"

#include <string_view>
#include <utility>
#include <vector>

using weir::errc;
using weir::postgres::detail::meaning;

// The codes are those of PostgreSQL 15, appendix A.
TEST_CASE("an SQLSTATE says what a program can do about it", "[postgres]") {
  std::vector<std::pair<std::string_view, errc>> const all{{"08006", errc::unavailable},    // connection_failure
                                                           {"22012", errc::rejected},       // division_by_zero
                                                           {"23505", errc::rejected},       // unique_violation
                                                           {"25006", errc::access_denied},  // read_only_sql_transaction
                                                           {"25P03", errc::unavailable},    // idle_in_transaction_session_timeout
                                                           {"28P01", errc::access_denied},  // invalid_password
                                                           {"28000", errc::access_denied},  // invalid_authorization_specification
                                                           {"3D000", errc::not_found},      // invalid_catalog_name
                                                           {"40001", errc::busy},           // serialization_failure
                                                           {"40P01", errc::busy},           // deadlock_detected
                                                           {"42501", errc::access_denied},  // insufficient_privilege
                                                           {"42P01", errc::rejected},       // undefined_table
                                                           {"53100", errc::no_space},       // disk_full
                                                           {"53300", errc::unavailable},    // too_many_connections
                                                           {"54000", errc::too_large},      // program_limit_exceeded
                                                           {"55P03", errc::busy},           // lock_not_available
                                                           {"57014", errc::timed_out},      // query_canceled
                                                           {"57P01", errc::unavailable},    // admin_shutdown
                                                           {"57P02", errc::unavailable},    // crash_shutdown
                                                           {"57P03", errc::unavailable},    // cannot_connect_now
                                                           {"57P04", errc::not_found},      // database_dropped
                                                           {"58030", errc::io},             // io_error
                                                           {"XX001", errc::corrupt},        // data_corrupted
                                                           {"XX002", errc::corrupt},        // index_corrupted
                                                           {"XX000", errc::rejected},       // internal_error
                                                           {"", errc::rejected}};
  for (auto const& [state, expected] : all) {
    INFO(state);
    CHECK(meaning(state) == expected);
  }
}
