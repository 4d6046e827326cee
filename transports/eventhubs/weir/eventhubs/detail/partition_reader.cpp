#include <weir/eventhubs/detail/partition_reader.hpp>

#include <weir/eventhubs/sas_token.hpp>

namespace weir::eventhubs::detail {

partition_reader::partition_reader(std::shared_ptr<hub_connection> by, std::string const& authority, partition_link_options options,
                                   clock& time)
    : hub_user(std::move(by), eventhubs::audience(authority, partition_link::address_of(options))),
      link_(std::move(options)),
      time_(time) {}

void partition_reader::open() {
  auto const session = begin();
  if (session) link_.open(*on(), *session);
  else link_.refused("the connection has no room for another session");
  flush();
}

std::vector<record> partition_reader::take_records() {
  std::vector<record> out = link_.records(on());
  flush();
  return out;
}

void partition_reader::watch(std::chrono::nanoseconds d) {
  watched_ = d;
  rung_ = false;
  if (attached_) time_.start(*this, d);
}

void partition_reader::take(amqp::connection& on, amqp::connection_event const& event) {
  link_.take(on, event);
  bool const was = std::exchange(attached_, link_.attached());
  if (attached_ && !was) time_.start(*this, watched_);
  if (!attached_) time_.stop(*this);
}

void partition_reader::disconnected() {
  link_.disconnected();
  attached_ = false;
  time_.stop(*this);
}

void partition_reader::fire() noexcept {
  rung_ = attached_ && link_.waiting() == 0;
  changed().wake();
}

}  // namespace weir::eventhubs::detail
