#pragma once
#include <weir/message_sender.hpp>
#include <weir/testing/fault_script.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace weir::testing {

/// Who gets the messages of a topic, as one should be who is told of each at least once: a message whose identity it knows has no effect.
/// It outlives crashes of who sends to it. A conflict is a message that has another payload than the one before with its identity, or that
/// comes before others with smaller numbers. Strand only.
class message_receiver final : public message_sender {
public:
  explicit message_receiver(fault_script writes = fault_script("write"));
  std::string_view kind() const noexcept override { return "receiver"; }
  /// Fails as the script says; a batch is one call. Gives way to the event loop before and after.
  task<> send(std::vector<message> batch) override;

  /// What the effect of a message is. Default: its payload.
  void effect(std::function<std::string(message const&)> of) { effect_of_ = std::move(of); }
  /// One for each identity, in order.
  std::vector<std::string> const& effects() const noexcept { return effects_; }
  /// Messages of an identity that was known.
  std::uint64_t repeated() const noexcept { return repeated_; }
  std::vector<std::string> const& conflicts() const noexcept { return conflicts_; }

private:
  void take(message const& m);
  using source = std::tuple<std::string, std::string, std::string, std::string>;  // pipeline, stream, partition, topic

  fault_script writes_;
  std::function<std::string(message const&)> effect_of_;
  std::map<source, std::vector<std::string>> payloads_;  // by number
  std::vector<std::string> effects_, conflicts_;
  std::uint64_t repeated_ = 0;
};

}  // namespace weir::testing
