#include <weir/operators/map_concurrent.hpp>

namespace weir {

concurrency::concurrency(std::size_t capacity) : capacity_(capacity) {
  if (capacity == 0)
    throw error(errc::invalid_option, "map_concurrent: cannot be built", "a capacity of 0 elements never begins one", "give it at least 1");
}

concurrency concurrency::order(ordering o) const {
  concurrency c(*this);
  c.order_ = o;
  return c;
}

concurrency concurrency::timeout(std::chrono::nanoseconds limit) const {
  if (limit <= limit.zero()) throw error(errc::invalid_option, "map_concurrent: cannot be built", "the timeout is not above zero");
  concurrency c(*this);
  c.timeout_ = limit;
  return c;
}

}  // namespace weir
