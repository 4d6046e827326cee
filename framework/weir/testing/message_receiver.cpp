#include <weir/testing/message_receiver.hpp>

#include <utility>

namespace weir::testing {

message_receiver::message_receiver(fault_script writes)
    : writes_(std::move(writes)), effect_of_([](message const& m) { return m.payload; }) {}

task<> message_receiver::send(std::vector<message> batch) {
  fault_script::call const c = co_await writes_.begin();
  std::string told;
  for (int times = c.suffers() == fault::duplicate ? 2 : 1; times != 0; --times)
    for (message const& m : batch) take(m);
  for (message const& m : batch) told += (told.empty() ? "" : "; ") + m.topic + " " + std::to_string(m.number) + " = " + m.payload;
  co_await writes_.done(c, std::move(told));
}

void message_receiver::take(message const& m) {
  std::vector<std::string>& known = payloads_[source(m.pipeline, m.stream, m.partition, m.topic)];
  std::string const name = "partition " + m.partition + ", " + m.topic + " " + std::to_string(m.number);
  if (m.number == known.size() + 1) {
    known.push_back(m.payload);
    effects_.push_back(effect_of_(m));
  } else if (m.number == 0 || m.number > known.size()) {
    conflicts_.push_back(name + ": comes behind " + std::to_string(known.size()));
  } else {
    ++repeated_;
    std::string const& before = known[m.number - 1];
    if (before != m.payload) conflicts_.push_back(name + ": " + before + ", then " + m.payload);
  }
}

}  // namespace weir::testing
