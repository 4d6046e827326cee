#include "app_log.hpp"

#include "complain.hpp"

#include <algorithm>
#include <utility>

namespace command_line {

app_log::app_log(std::string program, std::function<void()> make_room) : program_(std::move(program)), make_room_(std::move(make_room)) {}

weir::logger app_log::logger() {
  return {weir::log_level::info, [this](weir::log_level level, std::string_view text) { hear(level, text); }};
}

void app_log::failed(std::string_view why) {
  failures_.emplace_back(why);
  echoes_ = true;
}

int app_log::conclude(int code) {
  if (code != 1 && failures_.empty()) return code;
  if (failures_.empty()) failures_.emplace_back("the run failed");
  make_room_();
  for (std::string const& why : failures_) complain(program_, why);
  return 1;
}

void app_log::hear(weir::log_level level, std::string_view text) {
  bool const here = std::this_thread::get_id() == own_;
  if (level == weir::log_level::error && here) {
    bool const told = std::ranges::any_of(failures_, [&](std::string const& why) { return text.find(why) != std::string_view::npos; });
    if (!std::exchange(echoes_, false) && !told) failures_.emplace_back(text);
    return;
  }
  if (here) make_room_();
  complain(program_, text);
}

}  // namespace command_line
