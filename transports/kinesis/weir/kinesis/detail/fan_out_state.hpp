#pragma once
#include <weir/detail/wait_list.hpp>

#include <string>

namespace weir::kinesis::detail {

// What the shards of a source know together of its consumer. Strand only.
class fan_out_state {
public:
  std::string arn;       // of the consumer, when it can be used
  bool polls = false;    // fan-out cannot be had, and the options say to poll
  bool finding = false;  // one of them looks for the consumer
  weir::detail::wait_list changed;
};

}  // namespace weir::kinesis::detail
