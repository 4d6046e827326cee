#pragma once
#include <weir/message_sender.hpp>
#include <weir/retry_policy.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace weir::detail {

// How a topic's messages are delivered, whatever they are.
struct topic_options {
  explicit topic_options(std::shared_ptr<message_sender> by);
  void limit(std::size_t waiting);
  [[noreturn]] static void refuse(std::string why);

  std::shared_ptr<message_sender> sender;
  retry_policy retries;
  std::size_t at_most = 10'000;
};

}  // namespace weir::detail
