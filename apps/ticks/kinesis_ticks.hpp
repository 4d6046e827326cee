#pragma once

#include "options.hpp"
#include "tick.hpp"

#include <weir/source.hpp>
#include <command_line/dead_letters.hpp>

#include <memory>

namespace ticks {

/// The stream of Kinesis that `o` names as a source of ticks, one per record: of a record that is no tick one without a name, where there
/// are dead letters to put it into. Where there are none, the source fails, behind the ticks before it: these are in the checkpoint then.
///
/// Otherwise as `weir::kinesis::source`: each shard is a partition; with `options::leases` it reads those of which it holds the leases, and
/// a tick whose partition key is not its symbol is none. `dead` may be null, and must outlive the source. Errors: `errc::invalid_option`
/// for a stream, region or endpoint that cannot be used, and where the library is not built.
std::shared_ptr<weir::source<tick>> open_kinesis(options const& o, command_line::dead_letters* dead);

}  // namespace ticks
