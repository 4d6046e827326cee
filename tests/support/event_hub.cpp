#include "support/event_hub.hpp"

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>

#include "support/event_hub_end.hpp"

#include <algorithm>
#include <utility>

namespace weir::test {
class event_hub::memory_stream final : public net::byte_stream, private timer {
public:
  memory_stream(event_hub& of, std::shared_ptr<end> e, weir::clock& time) : hub_(of), end_(std::move(e)), time_(time) { ++hub_.live; }
  ~memory_stream() override {
    --hub_.live;
    std::erase(hub_.ends_, end_);
  }

  task<std::size_t> read_some(std::span<char> into) override {
    for (;;) {
      fail_if_broken();
      if (!hub_.silent) waiting_ += std::exchange(hub_.garbage, {}) + end_->output();
      if (hub_.silent) (void)end_->output();
      if (std::size_t const size = std::min(into.size(), limited(waiting_.size())); size != 0) {
        std::copy_n(waiting_.begin(), size, into.begin());
        waiting_.erase(0, size);
        if (hub_.drop_after) *hub_.drop_after -= size;
        co_return size;
      }
      if (hub_.drop_after == std::size_t{0}) {
        hub_.drop_after.reset();
        hub_.drop_connections();
        continue;
      }
      if (closed_) co_return 0;
      if (auto const until = end_->deadline(); until && !hub_.silent) time_.start(*this, *until - now());
      co_await end_->readable.wait();
    }
  }
  task<> write(std::string_view bytes) override {
    fail_if_broken();
    end_->feed(bytes, now());
    end_->readable.wake();
    co_return;
  }
  task<> close() override {
    closed_ = true;
    end_->readable.wake();
    co_return;
  }

private:
  hub_end::time_point now() const { return hub_end::time_point(time_.steady()); }
  std::size_t limited(std::size_t size) const { return hub_.drop_after ? std::min(*hub_.drop_after, size) : size; }
  void fail_if_broken() const {
    if (end_->broken) throw error(errc::unavailable, "memory: the connection is lost", "a test has dropped it");
  }
  void fire() noexcept override {
    if (!hub_.silent) end_->tick(now());
    end_->readable.wake();
  }

  event_hub& hub_;
  std::shared_ptr<end> end_;
  weir::clock& time_;
  std::string waiting_;
  bool closed_ = false;
};

event_hub::event_hub(std::size_t partitions, std::string name) : sent(partitions), name_(std::move(name)), partitions_(partitions) {}
event_hub::~event_hub() = default;

void event_hub::add(std::size_t partition, std::string body) {
  auto& events = partitions_[partition];
  auto const number = static_cast<std::int64_t>(events.size());
  events.push_back({std::move(body), "at " + std::to_string(number), 1'700'000'000'000 + number * 1000});
  pump();
}
void event_hub::add(std::size_t partition, std::size_t count) {
  for (std::size_t i = 0; i != count; ++i) add(partition, std::to_string(partitions_[partition].size()));
}

void event_hub::grow(std::size_t partitions) {
  partitions_.resize(partitions);
  sent.resize(partitions);
}

std::vector<std::string> event_hub::bodies(std::size_t partition) const {
  std::vector<std::string> out;
  for (event const& e : partitions_[partition]) out.push_back(e.body);
  return out;
}

// Events of one key in one partition, whose number any function of the key may be.
void event_hub::take(std::string const& address, std::string_view bytes, std::uint32_t format, std::int64_t ms) {
  batch out;
  out.address = address;
  out.bytes = bytes.size();
  out.ms = ms;
  auto const envelope = *amqp::message_view::read(bytes);
  out.key = hub_end::text_of(envelope.message_annotations, "x-opt-partition-key");
  for (amqp::body_reader sections(envelope); sections.left() != 0;) {
    auto const section = sections.next()->binary();
    auto const event = format == 0x80013700 ? *amqp::message_view::read(*section) : envelope;
    out.bodies.emplace_back(*event.body.binary());
    out.keys.push_back(hub_end::text_of(event.message_annotations, "x-opt-partition-key"));
    auto const about = amqp::read_properties(event.properties);
    amqp::value_view id;
    if (about && !about->message_id.bytes.empty()) id = *amqp::value_reader(about->message_id.bytes).next();
    out.ids.emplace_back(id.text().value_or(""));
  }
  auto const where = *hub_end::sender_address(address, name_);
  std::size_t const partition = where ? *where : (out.key.empty() ? batches.size() : out.key.size()) % partitions_.size();
  batches.push_back(out);
  for (std::string& body : out.bodies) add(partition, std::move(body));
}

void event_hub::pump() {
  for (auto const& e : ends_) {
    e->send();
    e->readable.wake();
  }
}

eventhubs::stream_opener event_hub::opener() {
  return [this] { return open(); };
}

task<std::unique_ptr<net::byte_stream>> event_hub::open() {
  context const& own = co_await current_context();
  ++connections;
  if (refuse_connections != 0) {
    --refuse_connections;
    throw error(errc::unavailable, "memory: cannot connect", "a test refuses it");
  }
  ends_.push_back(std::make_shared<end>(*this));
  std::unique_ptr<net::byte_stream> out = std::make_unique<memory_stream>(*this, ends_.back(), own.clock());
  co_return out;
}

void event_hub::detach_receivers(std::string_view condition) {
  for (auto const& e : ends_) e->detach_receivers(condition);
  pump();
}
void event_hub::detach_senders(std::string_view condition) {
  for (auto const& e : ends_) e->detach_senders(condition);
  pump();
}
void event_hub::steal(std::size_t partition) {
  for (auto const& e : ends_) e->steal(partition);
}
void event_hub::end_sessions() {
  for (auto const& e : ends_) e->end_sessions();
  pump();
}
void event_hub::expire_tokens() {
  for (auto const& e : ends_) e->forget_tokens();
  detach_receivers("amqp:unauthorized-access");
}
void event_hub::close_connections(std::string_view condition) {
  for (auto const& e : ends_) e->close(condition);
  pump();
}
void event_hub::drop_connections() {
  for (auto const& e : ends_) {
    e->broken = true;
    e->readable.wake();
  }
}

}  // namespace weir::test
