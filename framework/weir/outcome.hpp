#pragma once
#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {

/// How a task ended: with a value, or with the exception it threw. `when_any` returns one for each of its tasks.
///
/// `T` = void has no value, only success. Thread-safety: as a value.
template <class T = void> class outcome {
public:
  outcome() = default;  ///< nothing yet: neither a value nor a failure
  bool has_value() const noexcept { return value_.has_value(); }
  bool failed() const noexcept { return error_ != nullptr; }
  /// The exception; null where there is none.
  std::exception_ptr const& error() const noexcept { return error_; }
  /// The value, or throws the failure.
  T& get() & {
    if (error_) std::rethrow_exception(error_);
    return *value_;
  }
  T get() && { return std::move(static_cast<outcome&>(*this).get()); }

  /// For whoever runs the task.
  template <class... A> void emplace(A&&... a) { value_.emplace(std::forward<A>(a)...); }
  void fail(std::exception_ptr e) noexcept { error_ = std::move(e); }

private:
  static_assert(std::is_object_v<T>, "weir: the outcome of a task that returns a reference; return a pointer");
  std::optional<T> value_;
  std::exception_ptr error_;
};

template <> class outcome<void> {
public:
  outcome() = default;
  bool has_value() const noexcept { return done_; }
  bool failed() const noexcept { return error_ != nullptr; }
  std::exception_ptr const& error() const noexcept { return error_; }
  void get() const {
    if (error_) std::rethrow_exception(error_);
  }
  void emplace() noexcept { done_ = true; }
  void fail(std::exception_ptr e) noexcept { error_ = std::move(e); }

private:
  bool done_ = false;
  std::exception_ptr error_;
};

}  // namespace weir
