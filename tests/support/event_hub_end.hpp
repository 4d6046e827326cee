#pragma once
#include "support/event_hub.hpp"

#include <weir/amqp/connection.hpp>
#include <weir/amqp/encoder.hpp>
#include <weir/amqp/frame.hpp>
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/message_writer.hpp>
#include <weir/amqp/terminus.hpp>
#include <weir/detail/wait_list.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace weir::test {
namespace hub_end {

using time_point = amqp::connection::clock::time_point;

inline amqp::connection_options service_options() {
  amqp::connection_options out;
  out.container_id = "service";
  out.idle_time_out = std::chrono::seconds(240);
  out.channel_max = 4999;
  return out;
}

inline std::string text_of(amqp::value_view map, std::string_view key) {
  auto const v = amqp::find(map, key);
  return v && v->text() ? std::string(*v->text()) : std::string();
}

// "ticks/ConsumerGroups/$Default/Partitions/3": 3.
inline std::optional<std::size_t> partition_in(std::string const& address, std::string const& hub) {
  std::string const group = "/ConsumerGroups/", mark = "/Partitions/";
  auto const at = address.rfind(mark);
  if (!address.starts_with(hub + group) || at == std::string::npos) return std::nullopt;
  return static_cast<std::size_t>(std::stoul(address.substr(at + mark.size())));
}

// "ticks": none; "ticks/Partitions/3": 3. Null: it is no address of a sender.
inline std::optional<std::optional<std::size_t>> sender_address(std::string const& address, std::string const& hub) {
  using out = std::optional<std::size_t>;
  std::string const mark = hub + "/Partitions/";
  if (address == hub) return out();
  return address.starts_with(mark) ? std::optional(out(std::stoul(address.substr(mark.size())))) : std::nullopt;
}

}  // namespace hub_end

// The service's end of one connection, without I/O.
class event_hub::end {
public:
  explicit end(event_hub& of) : hub_(of), server_(hub_end::service_options(), {}) {}

  void feed(std::string_view bytes, hub_end::time_point now) {
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
  std::optional<hub_end::time_point> deadline() const { return speaks_ ? server_.deadline() : std::nullopt; }
  void tick(hub_end::time_point now) {
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
  void detach_senders(std::string_view condition) {
    for (auto const& [link, address] : std::exchange(senders_, {})) server_.detach(link, true, condition, "so it is");
  }
  void end_sessions() {
    for (receiver const& r : std::exchange(receivers_, {})) server_.end(r.link.session);
    for (auto const& [link, address] : std::exchange(senders_, {})) server_.end(link.session);
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
    if (auto const* const gone = std::get_if<amqp::link_detached>(&event)) {
      std::erase_if(receivers_, [&](receiver const& r) { return r.link == gone->link; });
      senders_.erase(gone->link);
    }
    if (auto const* const ended = std::get_if<amqp::session_ended>(&event)) {
      std::erase_if(receivers_, [&](receiver const& r) { return r.link.session == ended->session; });
      std::erase_if(senders_, [&](auto const& s) { return s.first.session == ended->session; });
    }
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
    if (sends) return take_from(asked, address);
    auto const partition = hub_end::partition_in(address, hub_.name_);
    if (!partition || *partition >= hub_.partitions_.size()) return server_.refuse(asked.link, "amqp:not-found", "there is no " + address);
    read_partition(asked, address, *partition);
  }
  void take_from(amqp::link_attached const& asked, std::string const& address) {
    auto const where = hub_end::sender_address(address, hub_.name_);
    if (!where || (*where && **where >= hub_.partitions_.size()))
      return server_.refuse(asked.link, "amqp:not-found", "there is no " + address);
    if (!hub_.refuse_links.empty()) return server_.refuse(asked.link, hub_.refuse_links, "so it is");
    if (!allowed_.contains("sb://ns.example/" + address))
      return server_.refuse(asked.link, "amqp:unauthorized-access", "ExpiredToken: The token is expired.");
    ++hub_.senders_attached;
    accept(asked);
    senders_[asked.link] = address;
    server_.grant(asked.link, hub_.send_credit);
  }
  void read_partition(amqp::link_attached const& asked, std::string const& address, std::size_t partition) {
    auto const filters = *amqp::value_reader(amqp::read_source(asked.peer.source)->filter.bytes).next();
    auto const filter = amqp::find(filters, "apache.org:selector-filter:string")->description();
    auto const properties = *amqp::value_reader(asked.peer.properties.bytes).next();
    hub_.filters.emplace_back(*filter->second.text());
    hub_.names.push_back(hub_end::text_of(properties, "com.microsoft:receiver-name"));
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
    if (mine.role == amqp::role::receiver) mine.max_message_size = hub_.most_batch_bytes;
    server_.accept(asked.link, mine);
  }

  // A batch of a sender.
  void take_batch(amqp::message_arrived const& sent, std::string address) {
    if (hub_.on_batch) hub_.on_batch();
    if (server_.credit(sent.link) == 0) server_.grant(sent.link, hub_.send_credit);
    auto const refuse = [&](std::string_view condition, std::string_view why) {
      ++hub_.refused_batches;
      server_.reject(sent.link, sent.delivery_id, sent.delivery_id, condition, why);
    };
    if (hub_.busy_sends != 0) {
      --hub_.busy_sends;
      return refuse("com.microsoft:server-busy", "Please wait 4 seconds");
    }
    if (!hub_.reject_sends.empty()) return refuse(hub_.reject_sends, "so it is");
    if (sent.bytes.size() > hub_.most_batch_bytes) return refuse("amqp:link:message-size-exceeded", "too large");
    if (hub_.release_sends != 0) {
      --hub_.release_sends;
      ++hub_.refused_batches;
      return server_.settle(sent.link, sent.delivery_id, sent.delivery_id, amqp::outcome::released);
    }
    hub_.take(address, sent.bytes, sent.format, now_.time_since_epoch() / std::chrono::milliseconds(1));
    if (hub_.unconfirmed_sends != 0) --hub_.unconfirmed_sends;
    else server_.settle(sent.link, sent.delivery_id, sent.delivery_id, amqp::outcome::accepted);
  }

  void arrived(amqp::message_arrived const& asked) {
    if (auto const sender = senders_.find(asked.link); sender != senders_.end()) return take_batch(asked, sender->second);
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
    std::string const audience = hub_end::text_of(message.application_properties, "name");
    hub_.tokens.push_back(audience);
    bool const refused = hub_.refuse_tokens != 0;
    if (refused) --hub_.refuse_tokens;
    else allowed_[audience] = hub_.token_life ? now_ + *hub_.token_life : hub_end::time_point::max();
    reply("$cbs", message, refused ? 401 : 202, refused ? "com.microsoft:auth-failed" : "", [](amqp::encoder& to) { to.null(); });
  }
  void answer_properties(amqp::message_view const& message) {
    if (hub_.busy_answers != 0) {
      --hub_.busy_answers;
      return reply("$management", message, 503, "com.microsoft:server-busy", [](amqp::encoder& to) { to.null(); });
    }
    auto const asked = message.application_properties;
    bool const of_hub = hub_end::text_of(asked, "type") == "com.microsoft:eventhub";
    std::string const id = hub_end::text_of(asked, "partition");
    std::size_t const partition = id.empty() ? 0 : std::stoul(id);
    if (hub_end::text_of(asked, "name") != hub_.name_ || partition >= hub_.partitions_.size())
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
  hub_end::time_point now_;
  std::map<std::string, hub_end::time_point> allowed_;
  std::map<amqp::link_id, std::string> nodes_;
  std::vector<std::pair<std::string, amqp::link_id>> answers_;
  std::vector<receiver> receivers_;
  std::map<amqp::link_id, std::string> senders_;  // and their addresses
};

}  // namespace weir::test
