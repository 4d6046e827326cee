#pragma once

#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <tuple>

namespace weblog {

// Each row has the columns of its file, a `key` that is unique in it and gives the order of rows, and its text. Times are written in ms
// since the epoch, UTC; the end of a window is the first moment behind it.

/// A visit: requests of one client without a silence of `session_gap` or more between them.
struct session_row {
  static constexpr char const* columns = "client,first_request,session_end,requests";
  std::string client;
  weir::instant first_request = 0;
  weir::instant session_end = 0;  ///< of the last request, plus the gap
  std::uint64_t requests = 0;

  auto key() const { return std::tie(client, first_request); }
  std::string text() const;
};

/// Answers of one status in one hour.
struct status_row {
  static constexpr char const* columns = "window_start,status,requests";
  weir::instant window_start = 0;
  std::uint16_t status = 0;
  std::uint64_t requests = 0;

  auto key() const { return std::tie(window_start, status); }
  std::string text() const;
};

/// Requests of an hour that begins every ten minutes.
struct sliding_row {
  static constexpr char const* columns = "window_start,window_end,requests";
  weir::instant window_start = 0;
  weir::instant window_end = 0;
  std::uint64_t requests = 0;

  auto key() const { return std::tie(window_start); }
  std::string text() const;
};

/// One of the clients with the most requests of an hour; of equal ones the first by its text comes first.
struct top_client_row {
  static constexpr char const* columns = "window_start,client,requests,rank";
  weir::instant window_start = 0;
  std::string client;
  std::uint64_t requests = 0;
  std::uint32_t rank = 0;  ///< from 1

  auto key() const { return std::tie(window_start, rank); }
  std::string text() const;
};

/// Five minutes with too many errors.
struct alert_row {
  static constexpr char const* columns = "window_start,window_end,requests,errors";
  weir::instant window_start = 0;
  weir::instant window_end = 0;
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;  ///< answers with a status that counts as an error

  auto key() const { return std::tie(window_start); }
  std::string text() const;
};

/// A request that came when its window had closed, and was set aside; `number` tells equal ones apart.
struct late_row {
  static constexpr char const* columns = "result,time,client,status";
  std::string result;
  weir::instant time = 0;
  std::string client;
  std::uint16_t status = 0;
  std::uint64_t number = 0;

  auto key() const { return std::tie(result, time, client, status, number); }
  std::string text() const;
};

}  // namespace weblog
