#include "support/event_hub.hpp"

#include <weir/amqp/connection.hpp>
#include <weir/amqp/frame.hpp>
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/message_writer.hpp>
#include <weir/amqp/terminus.hpp>
#include <weir/context.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <variant>

namespace weir::test {
namespace {

using time_point = amqp::connection::clock::time_point;

amqp::connection_options service_options() {
  amqp::connection_options out;
  out.container_id = "service";
  out.idle_time_out = std::chrono::seconds(240);
  out.channel_max = 4999;
  return out;
}

std::string text_of(amqp::value_view map, std::string_view key) {
  auto const v = amqp::find(map, key);
  return v && v->text() ? std::string(*v->text()) : std::string();
}

// "ticks/ConsumerGroups/$Default/Partitions/3": 3.
std::optional<std::size_t> partition_in(std::string const& address, std::string const& hub) {
  std::string const group = "/ConsumerGroups/", mark = "/Partitions/";
  auto const at = address.rfind(mark);
  if (!address.starts_with(hub + group) || at == std::string::npos) return std::nullopt;
  return static_cast<std::size_t>(std::stoul(address.substr(at + mark.size())));
}

}  // namespace

// The service's end of one connection, without I/O.
class event_hub::end {
public:
  explicit end(event_hub& of) : hub_(of), server_(service_options(), {}) {}

  void feed(std::string_view bytes, time_point now) {
    now_ = now;
    if (!speaks_) {
      before_ += bytes;
      greet();
      if (!speaks_) return;
      bytes = {};
      server_.feed(std::exchange(before_, {}), now);
    }
    server_.feed(bytes, now);
    while (auto const event = server_.next()) on(*event);
  }
  std::string output() {
    std::string out = std::exchange(greeting_, {});
    if (!speaks_) return out;
    out += server_.output();
    server_.sent(server_.output().size());
    return out;
  }
  std::optional<time_point> deadline() const { return speaks_ ? server_.deadline() : std::nullopt; }
  void tick(time_point now) {
    now_ = now;
    server_.tick(now);
  }

  void send() {
    std::erase_if(receivers_, [this](receiver const& r) {
      auto const token = allowed_.find(r.audience);
      if (token == allowed_.end() || token->second > now_) return false;
      server_.detach(r.link, true, "amqp:unauthorized-access", "ExpiredToken: The token is expired.");
      return true;
    });
    for (receiver& r : receivers_) {
      auto const& events = hub_.partitions_[r.partition];
      hub_.most_credit = std::max(hub_.most_credit, server_.credit(r.link));
      while (r.next < events.size() && server_.credit(r.link) > 0) {
        std::string const bytes = message(r, events);
        if (!server_.send(r.link, std::to_string(r.next), bytes)) break;
        ++r.next;
        ++hub_.sent[r.partition];
      }
    }
  }
  void detach_receivers(std::string_view condition) {
    for (receiver const& r : std::exchange(receivers_, {})) server_.detach(r.link, true, condition, "so it is");
  }
  void end_sessions() {
    for (receiver const& r : std::exchange(receivers_, {})) server_.end(r.link.session);
  }
  void forget_tokens() { allowed_.clear(); }
  void close(std::string_view condition) { server_.close(condition, "so it is"); }
  bool has_epoch_above(std::size_t partition, std::int64_t epoch) const {
    return std::ranges::any_of(receivers_, [&](receiver const& r) { return r.partition == partition && r.epoch > epoch; });
  }
  void steal(std::size_t partition) {
    std::erase_if(receivers_, [&](receiver const& r) {
      if (r.partition != partition) return false;
      server_.detach(r.link, true, "amqp:link:stolen", "New receiver with higher epoch is created");
      readable.wake();
      return true;
    });
  }

  bool broken = false;
  weir::detail::wait_list readable;

private:
  struct receiver {
    amqp::link_id link;
    std::size_t partition = 0, next = 0;
    std::int64_t epoch = -1;
    std::string audience;
  };

  // SASL: the header, and one frame of the client's.
  void greet() {
    if (!greeted_ && before_.size() >= 8) {
      greeted_ = true;
      before_.erase(0, 8);
      greeting_ += amqp::protocol_header(amqp::protocol::sasl);
      std::string names;
      amqp::encoder to(names);
      auto const array = to.begin_symbols();
      to.array_symbol("MSSBCBS");
      to.array_symbol("ANONYMOUS");
      to.end(array);
      amqp::sasl_mechanisms offered;
      offered.server_mechanisms = {names};
      amqp::write_frame(greeting_, offered);
    }
    if (!greeted_) return;
    std::string_view left = before_;
    auto const frame = amqp::take_frame(left, 4096);
    if (!frame || !*frame) return;
    before_.erase(0, before_.size() - left.size());
    amqp::write_frame(greeting_, amqp::sasl_outcome{});
    speaks_ = true;
    server_.open();
  }

  void on(amqp::connection_event const& event) {
    if (auto const* const asked = std::get_if<amqp::link_attached>(&event)) return attached(*asked);
    if (auto const* const message = std::get_if<amqp::message_arrived>(&event)) return arrived(*message);
    if (auto const* const gone = std::get_if<amqp::link_detached>(&event))
      std::erase_if(receivers_, [&](receiver const& r) { return r.link == gone->link; });
    if (auto const* const ended = std::get_if<amqp::session_ended>(&event))
      std::erase_if(receivers_, [&](receiver const& r) { return r.link.session == ended->session; });
    send();
  }

  void attached(amqp::link_attached const& asked) {
    bool const sends = asked.peer.role == amqp::role::sender;
    std::string const address(sends ? amqp::read_target(asked.peer.target)->address : amqp::read_source(asked.peer.source)->address);
    if (address == "$cbs" || address == "$management") {
      accept(asked);
      if (sends) {
        server_.grant(asked.link, 100);
        nodes_[asked.link] = address;
      } else {
        answers_.emplace_back(address, asked.link);
      }
      return;
    }
    auto const partition = partition_in(address, hub_.name_);
    if (!partition || *partition >= hub_.partitions_.size()) return server_.refuse(asked.link, "amqp:not-found", "there is no " + address);
    read_partition(asked, address, *partition);
  }
  void read_partition(amqp::link_attached const& asked, std::string const& address, std::size_t partition) {
    auto const filters = *amqp::value_reader(amqp::read_source(asked.peer.source)->filter.bytes).next();
    auto const filter = amqp::find(filters, "apache.org:selector-filter:string")->description();
    auto const properties = *amqp::value_reader(asked.peer.properties.bytes).next();
    hub_.filters.emplace_back(*filter->second.text());
    hub_.names.push_back(text_of(properties, "com.microsoft:receiver-name"));
    hub_.attach_ms.push_back(now_.time_since_epoch() / std::chrono::milliseconds(1));
    if (hub_.on_attach) hub_.on_attach();
    receiver r;
    r.epoch = amqp::find(properties, "com.microsoft:epoch")->integer().value_or(-1);
    if (!hub_.refuse_links.empty()) return server_.refuse(asked.link, hub_.refuse_links, "so it is");
    if (!allowed_.contains("sb://ns.example/" + address))
      return server_.refuse(asked.link, "amqp:unauthorized-access", "ExpiredToken: The token is expired.");
    for (auto const& other : hub_.ends_)
      if (other->has_epoch_above(partition, r.epoch))
        return server_.refuse(asked.link, "amqp:link:stolen", "a receiver with a higher epoch already exists");
    if (r.epoch >= 0)
      for (auto const& other : hub_.ends_) other->steal(partition);
    r.link = asked.link;
    r.audience = "sb://ns.example/" + address;
    r.partition = partition;
    r.next = start_of(hub_.filters.back(), hub_.partitions_[partition]);
    accept(asked);
    receivers_.push_back(r);
  }
  static std::size_t start_of(std::string const& filter, std::vector<event> const& events) {
    auto const quote = filter.find('\'');
    std::string const value = filter.substr(quote + 1, filter.size() - quote - 2);
    bool const inclusive = filter.find(">=") != std::string::npos;
    if (value == "@latest") return events.size();
    if (value == "-1") return 0;
    for (std::size_t i = 0; i != events.size(); ++i) {
      if (filter.find("x-opt-offset") != std::string::npos) {
        if (events[i].offset == value) return inclusive ? i : i + 1;
        continue;
      }
      std::int64_t const at = std::stoll(value);
      std::int64_t const own =
          filter.find("x-opt-enqueued-time") != std::string::npos ? events[i].enqueued_ms : static_cast<std::int64_t>(i);
      if (own > at || (inclusive && own == at)) return i;
    }
    return events.size();
  }
  void accept(amqp::link_attached const& asked) {
    amqp::link_options mine;
    mine.name = asked.peer.name;
    mine.role = asked.peer.role == amqp::role::sender ? amqp::role::receiver : amqp::role::sender;
    mine.source = asked.peer.source;
    mine.target = asked.peer.target;
    server_.accept(asked.link, mine);
  }

  void arrived(amqp::message_arrived const& asked) {
    auto const message = amqp::message_view::read(asked.bytes);
    std::string const node = nodes_[asked.link];
    if (node == "$management" && hub_.reject_requests != 0) {
      --hub_.reject_requests;
      return server_.reject(asked.link, asked.delivery_id, asked.delivery_id, "com.microsoft:server-busy", "Please wait 4 seconds");
    }
    server_.settle(asked.link, asked.delivery_id, asked.delivery_id, amqp::outcome::accepted);
    server_.grant(asked.link, 100);
    if (hub_.unanswered != 0) {
      --hub_.unanswered;
      return;
    }
    if (node == "$cbs") return put_token(*message);
    ++hub_.requests;
    answer_properties(*message);
  }
  void put_token(amqp::message_view const& message) {
    std::string const audience = text_of(message.application_properties, "name");
    hub_.tokens.push_back(audience);
    bool const refused = hub_.refuse_tokens != 0;
    if (refused) --hub_.refuse_tokens;
    else allowed_[audience] = hub_.token_life ? now_ + *hub_.token_life : time_point::max();
    reply("$cbs", message, refused ? 401 : 202, refused ? "com.microsoft:auth-failed" : "", [](amqp::encoder& to) { to.null(); });
  }
  void answer_properties(amqp::message_view const& message) {
    if (hub_.busy_answers != 0) {
      --hub_.busy_answers;
      return reply("$management", message, 503, "com.microsoft:server-busy", [](amqp::encoder& to) { to.null(); });
    }
    auto const asked = message.application_properties;
    bool const of_hub = text_of(asked, "type") == "com.microsoft:eventhub";
    std::string const id = text_of(asked, "partition");
    std::size_t const partition = id.empty() ? 0 : std::stoul(id);
    if (text_of(asked, "name") != hub_.name_ || partition >= hub_.partitions_.size())
      return reply("$management", message, 404, "amqp:not-found", [](amqp::encoder& to) { to.null(); });
    auto const& events = hub_.partitions_[partition];
    reply("$management", message, 200, "", [&](amqp::encoder& to) {
      auto const map = to.begin_map();
      to.string("name");
      to.string(hub_.name_);
      if (of_hub) {
        to.string("created_at");
        to.timestamp(1'700'000'000'000);
        to.string("partition_ids");
        auto const ids = to.begin_symbols();
        for (std::size_t i = 0; i != hub_.partitions_.size(); ++i) to.array_symbol(std::to_string(i));
        to.end(ids);
      } else {
        to.string("partition");
        to.string(id);
        to.string("is_partition_empty");
        to.boolean(events.empty());
        to.string("last_enqueued_sequence_number");
        to.int64(static_cast<std::int64_t>(events.size()) - 1);
        to.string("last_enqueued_offset");
        to.string(events.empty() ? "-1" : events.back().offset);
      }
      to.end(map);
    });
  }
  template <class Body>
  void reply(std::string const& node, amqp::message_view const& to, int status, std::string_view condition, Body body) {
    std::string bytes;
    amqp::message_writer message(bytes);
    amqp::properties_view about;
    auto const asked = amqp::read_properties(to.properties);
    about.correlation_id = asked->message_id;
    message.properties(about);
    auto const map = message.begin_application_properties();
    message.to().string("status-code");
    message.to().int32(status);
    if (!condition.empty()) {
      message.to().string("error-condition");
      message.to().symbol(condition);
    }
    message.end(map);
    message.begin_value();
    body(message.to());
    for (auto link = answers_.rbegin(); link != answers_.rend(); ++link)
      if (link->first == node && server_.send(link->second, "a", bytes)) return;
  }

  std::string message(receiver const& r, std::vector<event> const& events) const {
    event const& e = events[r.next];
    std::string bytes;
    amqp::message_writer out(bytes);
    auto map = out.begin_delivery_annotations();
    out.to().symbol("last_enqueued_sequence_number");
    out.to().int64(static_cast<std::int64_t>(events.size()) - 1);
    out.end(map);
    map = out.begin_message_annotations();
    if (!hub_.malformed) {
      out.to().symbol("x-opt-sequence-number");
      out.to().int64(static_cast<std::int64_t>(r.next));
    }
    out.to().symbol("x-opt-offset");
    out.to().string(e.offset);
    out.to().symbol("x-opt-enqueued-time");
    out.to().timestamp(e.enqueued_ms);
    out.end(map);
    out.data(e.body);
    return bytes;
  }

  event_hub& hub_;
  amqp::connection server_;
  std::string before_, greeting_;
  bool greeted_ = false, speaks_ = false;
  time_point now_;
  std::map<std::string, time_point> allowed_;
  std::map<amqp::link_id, std::string> nodes_;
  std::vector<std::pair<std::string, amqp::link_id>> answers_;
  std::vector<receiver> receivers_;
};

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
  time_point now() const { return time_point(time_.steady()); }
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
