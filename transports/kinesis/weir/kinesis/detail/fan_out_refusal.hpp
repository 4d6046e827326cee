#pragma once
#include <weir/error.hpp>
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/log.hpp>

#include <system_error>

namespace weir::kinesis::detail {

// Fan-out will not be had by asking again. `agreed`: it was had before. Whoever has no credentials at the moment looks the same: where it
// is to be polled then, the stream has to be listed, and fan-out to be refused once more behind that.
bool refuses_fan_out(std::error_code const& code, bool agreed) noexcept;

// Says what fan-out fails for, or that it does without, as the options have it.
void do_without_fan_out(source_state& s, logger const& log, error const& why);

}  // namespace weir::kinesis::detail
