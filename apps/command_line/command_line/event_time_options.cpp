#include "event_time_options.hpp"

#include "parse.hpp"
#include "stream_options.hpp"

namespace command_line {

void add_event_time_options(CLI::App& app, event_time_options& o) {
  constexpr auto group = "Event time";
  add_duration(app, "--bound", o.bound, "How far out of order the input may be: what is further behind the newest time is late", 0)
      ->group(group);
  add_word(app, "--late", o.late, "What comes after its window closed: drop counts it, side sets it aside, update corrects the window",
           {{"drop", late_policy::drop}, {"side", late_policy::side}, {"update", late_policy::update}})
      ->default_str(o.late == late_policy::drop   ? "drop"
                    : o.late == late_policy::side ? "side"
                                                  : "update")
      ->type_name("POLICY")
      ->group(group);
  add_duration(app, "--lateness", o.lateness, "With --late update: how long a window can be corrected", 1'000'000)->group(group);
}

}  // namespace command_line
