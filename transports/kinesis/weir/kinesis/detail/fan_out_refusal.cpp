#include <weir/kinesis/detail/fan_out_refusal.hpp>

#include <weir/kinesis/errc.hpp>

#include <utility>

namespace weir::kinesis::detail {

bool refuses_fan_out(std::error_code const& code, bool agreed) noexcept {
  return code == weir::errc::access_denied || code == weir::errc::incompatible || code == errc::unknown_operation ||
         (code == weir::errc::rejected && !agreed);
}

void do_without_fan_out(source_state& s, logger const& log, error const& why) {
  if (s.how.otherwise == without_fan_out::fail) {
    throw error(
        why.code(), "kinesis: no enhanced fan-out by the consumer " + s.how.consumer, why.what(),
        "allow kinesis:DescribeStreamSummary, DescribeStreamConsumer, RegisterStreamConsumer and SubscribeToShard, and HTTP/2 to the "
        "endpoint; or poll (options::otherwise)")
        .with_stream(s.how.stream);
  }
  if (std::exchange(s.fan_out.polls, true)) return;
  log.error("kinesis: enhanced fan-out cannot be had (stream " + s.how.stream + ", consumer " + s.how.consumer +
            "): it is polled from now on, as the options say; " + why.what());
}

}  // namespace weir::kinesis::detail
