#pragma once
#include <weir/codec.hpp>
#include <weir/detail/topic_options.hpp>
#include <weir/message_sender.hpp>
#include <weir/retry_policy.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// What `pipeline.use_topic` takes: which values can be sent to a topic, and what delivers them.
/// ```cpp
/// auto const sender = std::make_shared<file::message_file>("closed.ndjson");
/// pipeline.use_topic("bar:closed", topic<bar>(sender, [](bar const& b) { return to_json(b); }).retry(retry_policy().attempts(8)));
/// ```
/// and in the handler `co_await context.send("bar:closed", *bar);`.
///
/// A message is written into an **outbox** that is a part of the checkpoint: in the same transaction as the state and the frontier of the
/// records it comes of (transactional outbox). Delivered it is after that, beside the stream, in order within partition and topic; what
/// was delivered leaves the outbox with a later commit. After a restart, what the outbox holds is delivered first. What is sent when the
/// data has ended goes with the last commit, and not again when a later run finds no more data.
///
/// Guarantee: at least once, with identity (`message`): a receiver that drops identities it knows has each message exactly once.
/// When a delivery has failed as often as `retry` allows, the partition halts as in a drain, with the error of the delivery; its
/// messages stay in the outbox, and a restart delivers them. State: payload and some 40 bytes per waiting message, in memory and in the
/// checkpoint. A checkpoint that has messages to a topic which the pipeline does not have any more is refused (`errc::incompatible`).
///
/// Setters return a changed copy and throw `errc::invalid_option` for values out of range. Thread-safety: as a value; the sender is shared.
template <class T> class topic {
public:
  using value_type = T;
  /// Payloads are what `weir::codec` makes of a value.
  explicit topic(std::shared_ptr<message_sender> by) : topic(std::move(by), encoded) {
    static_assert(encodable<T>, "weir: a topic needs a weir::codec of what is sent to it, or a function that makes its payload");
  }
  /// Payloads are what `payload_of(value)` returns, any bytes. What it throws, `send` throws.
  topic(std::shared_ptr<message_sender> by, std::function<std::string(T const&)> payload_of)
      : options_(std::move(by)), payload_of_(std::move(payload_of)) {
    if (!payload_of_) detail::topic_options::refuse("no function that makes payloads");
  }

  /// How often, and after how long, a delivery that failed is tried again, in place of the default `retry_policy`.
  [[nodiscard]] topic retry(retry_policy p) const {
    topic t(*this);
    t.options_.retries = std::move(p);
    return t;
  }
  /// While so many messages of a partition wait, `send` waits, too. At least 1, default 10,000. Messages that no checkpoint has yet are
  /// among them; when there are so many of these alone, a checkpoint is made at the next opportunity.
  [[nodiscard]] topic at_most(std::size_t waiting) const {
    topic t(*this);
    t.options_.limit(waiting);
    return t;
  }

  // For hosts.
  detail::topic_options const& options() const noexcept { return options_; }
  std::function<std::string(T const&)> const& payload_of() const noexcept { return payload_of_; }

private:
  static std::string encoded(T const& value) {
    std::vector<std::byte> bytes;
    if constexpr (encodable<T>) encode_state(value, bytes);
    return std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  }
  detail::topic_options options_;
  std::function<std::string(T const&)> payload_of_;
};

}  // namespace weir
