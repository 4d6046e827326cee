#include "app_log.hpp"

#include "complain.hpp"

#include <utility>

namespace command_line {

app_log::app_log(std::string program, std::function<void()> make_room) : program_(std::move(program)), make_room_(std::move(make_room)) {}

weir::logger app_log::logger() {
  return {weir::log_level::info, [this](weir::log_level level, std::string_view text) { hear(level, text); }};
}

int app_log::conclude(int code) {
  if (code != 1 && failure_.empty()) return code;
  make_room_();
  complain(program_, failure_.empty() ? "the run failed" : failure_);
  return 1;
}

void app_log::hear(weir::log_level level, std::string_view text) {
  if (level == weir::log_level::error) {
    if (failure_.empty()) failure_ = text;
    return;
  }
  make_room_();
  complain(program_, text);
}

}  // namespace command_line
