#pragma once
#include <weir/operators/detail/named_operator.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace weir::detail {

// Base of stages with state: what it is called in checkpoints. Two in a pipeline must not have one name.
class named_state {
public:
  explicit named_state(std::string_view kind) : id_(kind) {}
  named_state(naming const& n, std::string_view kind) : id_(n.id().empty() ? kind : std::string_view(n.id())) {}
  std::string_view state_id() const noexcept { return id_; }
  void name(std::string id) { id_ = std::move(id); }

private:
  std::string id_;
};

}  // namespace weir::detail
