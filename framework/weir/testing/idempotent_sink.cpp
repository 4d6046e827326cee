#include <weir/testing/idempotent_sink.hpp>

#include <utility>

namespace weir::testing {

idempotent_sink::idempotent_sink(fault_script writes) : writes_(std::move(writes)) {}

task<> idempotent_sink::write(std::string identity, std::string value) {
  fault_script::call const c = co_await writes_.begin();
  std::string told = identity + " = " + value;
  keep(std::move(identity), std::move(value));
  co_await writes_.done(c, std::move(told));
}

void idempotent_sink::put(std::string identity, std::string value) {
  writes_.note("put: " + identity + " = " + value);
  keep(std::move(identity), std::move(value));
}

void idempotent_sink::keep(std::string identity, std::string value) {
  auto const [at, fresh] = contents_.try_emplace(std::move(identity), value);
  if (fresh || at->second == value) return;
  conflicts_.push_back(at->first + ": " + at->second + ", then " + value);
  at->second = std::move(value);
}

}  // namespace weir::testing
