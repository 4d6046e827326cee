#pragma once

#include "live_bars.hpp"

#include <weir/status_service.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ticks {

/// Where a run can be watched, in a browser: its candles at /ticks, its pipeline at /.
struct live_page {
  std::shared_ptr<weir::status_service> service;
  std::string address;  ///< of the candles: "http://127.0.0.1:9464/ticks"
};

/// At that port of this machine; none: at the usual one, or, when that is taken, at any.. Null where the program is built
/// without. Errors: those of `status::server`.
std::optional<live_page> open_live_page(std::optional<std::uint16_t> port, std::shared_ptr<live_bars const> bars);

}  // namespace ticks
