#pragma once
#include <weir/message.hpp>
#include <weir/task.hpp>

#include <string_view>
#include <vector>

namespace weir {

/// What delivers the messages of a topic: implement it over anything. `file::message_file` and `memory_sender` are two.
///
/// It gets messages that are in the checkpoint already, so it may be given some again: after a crash, or when it has failed. Strand only;
/// one may serve several topics and partitions, whose calls then come beside each other.
class message_sender {
public:
  message_sender() = default;
  message_sender(message_sender const&) = delete;
  message_sender& operator=(message_sender const&) = delete;
  virtual ~message_sender() = default;
  /// What it is, for messages to people: "file". Of static lifetime.
  virtual std::string_view kind() const noexcept = 0;
  /// Delivers messages of one topic and one partition, in order of their numbers, at least one and at most 500. Returns when all of them
  /// are safe with whoever gets them. When it throws, all of them come again if the topic's `retry_policy` says so. When it is cancelled
  /// it should throw `errc::cancelled`; they come again with the next start.
  virtual task<> send(std::vector<message> batch) = 0;
};

}  // namespace weir
