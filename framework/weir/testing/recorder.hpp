#pragma once
#include <weir/context.hpp>
#include <weir/instant.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace weir::testing {

/// A sink that remembers what was written to it, and when on the context's clock. Copies share their memory, so that one can be moved
/// into a handler and another asked afterwards. Strand only.
template <class T> class recorder {
public:
  struct entry {
    entry(T v, instant t) : value(std::move(v)), at(t) {}
    T value;
    instant at;
  };

  task<> write(T value) {
    context const& own = co_await current_context();
    entries_->emplace_back(std::move(value), own.clock().now());
  }
  /// Everything a stream yields, in order.
  task<> drain(stream<T> from) {
    context const& own = co_await current_context();
    while (T* const x = co_await from.next()) entries_->emplace_back(std::move(*x), own.clock().now());
  }

  std::vector<entry> const& entries() const noexcept { return *entries_; }
  std::vector<T> values() const {
    std::vector<T> out;
    for (entry const& e : *entries_) out.push_back(e.value);
    return out;
  }
  void clear() noexcept { entries_->clear(); }

private:
  std::shared_ptr<std::vector<entry>> entries_ = std::make_shared<std::vector<entry>>();
};

}  // namespace weir::testing
