#include <weir/testing/appending_sink.hpp>

#include <utility>

namespace weir::testing {

appending_sink::appending_sink(fault_script writes) : writes_(std::move(writes)) {}

task<> appending_sink::write(std::string value) {
  fault_script::call const c = co_await writes_.begin();
  contents_.push_back(value);
  if (c.suffers() == fault::duplicate) contents_.push_back(value);
  co_await writes_.done(c, std::move(value));
}

}  // namespace weir::testing
