#pragma once
#include <weir/outside_write.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace weir::detail {

// Lines for a descriptor.
class console_write final : public outside_write {
public:
  console_write(int descriptor, std::string text) noexcept : descriptor_(descriptor), text_(std::move(text)) {}
  task<> write(checkpoint_key of, std::uint64_t number) override;
  bool join(outside_write& later) override;

private:
  int descriptor_;
  std::string text_;
  std::size_t taken_ = 0;  // bytes of it
};

}  // namespace weir::detail
