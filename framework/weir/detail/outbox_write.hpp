#pragma once
#include <weir/sink_write.hpp>

#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

struct topic_queue;

// Messages in front of a checkpoint: they become a part of its state.
class outbox_write final : public sink_write {
public:
  outbox_write(topic_queue& q, std::vector<std::string> payloads) noexcept : to(&q), messages(std::move(payloads)) {}
  topic_queue* to;
  std::vector<std::string> messages;
};

}  // namespace weir::detail
