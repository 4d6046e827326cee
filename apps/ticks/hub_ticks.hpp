#pragma once

#include "options.hpp"
#include "tick.hpp"

#include <weir/source.hpp>
#include <command_line/dead_letters.hpp>

#include <memory>
#include <string>

namespace ticks {

/// How the event hub is called that `o` names, with its consumer group where that is another than the usual one. Throws
/// `errc::invalid_option` for a connection string that is none, and where the library is not built.
std::string hub_name(options const& o);

/// The event hub that `o` names as a source of ticks, one per event: of an event that is no tick one without a name, where there are dead
/// letters to put it into. Where there are none, the source fails, behind the ticks before it: these are in the checkpoint then.
///
/// Otherwise as `weir::eventhubs::source`. `dead` may be null, and must outlive the source. Errors: `errc::invalid_option` for a connection
/// that cannot be used, and where the library is not built.
std::shared_ptr<weir::source<tick>> open_hub(options const& o, command_line::dead_letters* dead);

}  // namespace ticks
