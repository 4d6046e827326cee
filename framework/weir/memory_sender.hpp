#pragma once
#include <weir/message_sender.hpp>

#include <string_view>
#include <vector>

namespace weir {

/// A sender for tests: what has been delivered, in order. Never waits, never fails. Strand only.
class memory_sender final : public message_sender {
public:
  std::string_view kind() const noexcept override { return "memory"; }
  task<> send(std::vector<message> batch) override;
  std::vector<message> const& messages() const noexcept { return messages_; }

private:
  std::vector<message> messages_;
};

}  // namespace weir
