#include <weir/eventhubs/detail/hub_management.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/detail/held_up.hpp>
#include <weir/eventhubs/detail/pace.hpp>
#include <weir/eventhubs/detail/properties_reply.hpp>
#include <weir/eventhubs/detail/verdict.hpp>
#include <weir/eventhubs/sas_token.hpp>
#include <weir/sleep.hpp>
#include <weir/timeout.hpp>

#include <utility>
#include <variant>

namespace weir::eventhubs::detail {

// A request that waits for its answer.
class hub_management::asking {
public:
  asking(hub_management& of, std::uint64_t number, answer& into) : of_(of), number_(number), into_(into) {
    of.asked_.emplace(number, &into);
  }
  asking(asking const&) = delete;
  asking& operator=(asking const&) = delete;
  ~asking() {
    auto const found = of_.asked_.find(number_);  // which may be one of the next links by now
    if (found != of_.asked_.end() && found->second == &into_) of_.asked_.erase(found);
  }

private:
  hub_management& of_;
  std::uint64_t const number_;
  answer const& into_;
};

hub_management::hub_management(std::shared_ptr<hub_connection> by, management_options options)
    : hub_user(std::move(by), eventhubs::audience(options.authority, options.event_hub + "/$management")),
      options_(std::move(options)),
      random_(options_.seed) {}

task<hub_properties> hub_management::hub() {
  task<answer> asking_it = ask({});
  answer got = co_await std::move(asking_it);
  if (!got.hub) {
    throw error(errc::malformed, "event hubs: the properties of the event hub cannot be read", "the answer does not name its partitions")
        .with_stream(options_.event_hub);
  }
  co_return *std::move(got.hub);
}

task<partition_properties> hub_management::partition(std::string id) {
  task<answer> asking_it = ask(id);
  answer got = co_await std::move(asking_it);
  if (!got.partition) {
    throw error(errc::malformed, "event hubs: the properties of a partition cannot be read", "the answer has no sequence numbers")
        .with_stream(options_.event_hub)
        .with_partition(id);
  }
  co_return *std::move(got.partition);
}

// Until a request can be sent, or the links are refused.
task<> hub_management::until_ready() {
  for (;;) {
    task<> allowing = until_allowed();
    co_await std::move(allowing);
    if (!channel_) {
      auto const session = begin();
      if (session) {
        channel_.emplace("$management", "management-" + std::to_string(++channels_));
        channel_->open(*on(), *session);
        flush();
      } else {
        loss_.emplace();
        loss_->description = "the connection has no room for another session";
      }
    }
    if (loss_ || channel_->ready(*on())) co_return;
    co_await changed().wait();
  }
}

task<> hub_management::until_answered(answer const& got) {
  while (!got.there && !got.lost) co_await changed().wait();
}

std::optional<std::uint64_t> hub_management::send(std::string const& partition, std::int64_t unix_time) {
  std::string const token = options_.tokens(eventhubs::audience(options_.authority, options_.event_hub), unix_time).text;
  return channel_->ask(*on(), [&](amqp::message_writer& message) {
    auto const map = message.begin_application_properties();
    auto const say = [&](std::string_view name, std::string_view value) {
      message.to().string(name);
      message.to().string(value);
    };
    say("operation", "READ");
    say("name", options_.event_hub);
    say("type", partition.empty() ? "com.microsoft:eventhub" : "com.microsoft:partition");
    if (!partition.empty()) say("partition", partition);
    say("security_token", token);
    message.end(map);
    message.begin_value();
    message.to().null();
  });
}

task<hub_management::answer> hub_management::ask(std::string partition) {
  context& own = co_await current_context();
  bool renewed = false;
  loss_.reset();  // nobody had asked then
  for (unsigned failures = 1;; ++failures) {
    task<> readying = until_ready();
    co_await std::move(readying);
    answer got;
    if (loss_) {
      got.condition = loss_->condition;
      got.description = loss_->description;
    } else if (auto const number = send(partition, own.clock().now() / 1'000'000'000)) {
      asking const mine(*this, *number, got);
      flush();
      task<> answering = with_timeout(options_.patience, until_answered(got));
      try {
        co_await std::move(answering);
      } catch (error const& e) {
        if (e.code() != errc::timed_out) throw;
      }
    }
    bool const lost = std::exchange(loss_, std::nullopt) || got.lost;
    if (got.there && got.status / 100 == 2) co_return got;
    auto const [does, code] = verdict_on(got.status, got.condition);
    error why(code, "event hubs: the properties of " + std::string(partition.empty() ? "the event hub" : "a partition") + " cannot be had",
              got.there || !got.condition.empty() ? text_of_refusal(got.status, got.condition, got.description)
              : lost                              ? "the link to $management was lost"
                                                  : "no answer came",
              code == errc::not_found ? "correct the name of the event hub, or the number of the partition" : "");
    why.with_stream(options_.event_hub);
    if (!partition.empty()) why.with_partition(partition);
    bool const hopeless = does == reaction::give_up || does == reaction::let_go || (does == reaction::new_token && renewed);
    if (hopeless) throw why;
    if (does == reaction::new_token) {
      renewed = true;
      renew_token();
    }
    held_up(own.environment(), "asking for properties", failures, why);
    co_await sleep_for(pause_after(failures, does, random_()));
  }
}

void hub_management::take(amqp::connection& on, amqp::connection_event const& event) {
  if (auto const* const ended = std::get_if<amqp::session_ended>(&event)) return lose(ended->why);
  if (!channel_ || !channel_->take(on, event)) return;
  if (auto const& reply = channel_->reply()) answered(*reply);
  if (!channel_->lost()) return;
  auto const* const gone = std::get_if<amqp::link_detached>(&event);
  lose(gone != nullptr ? gone->why : amqp::error_view{});
  end();
}

void hub_management::answered(channel_reply const& reply) {
  auto const found = asked_.find(reply.request);
  if (found == asked_.end()) return;
  answer& out = *found->second;
  out.there = true;
  out.status = reply.status;
  out.condition = reply.condition;
  out.description = reply.description;
  out.hub = hub_properties_in(reply.body);
  out.partition = partition_properties_in(reply.body);
}

void hub_management::disconnected() {
  channel_.reset();
  for (auto const& [number, waiting] : asked_) waiting->lost = true;
  asked_.clear();
}

void hub_management::lose(amqp::error_view const& why) {
  disconnected();
  loss_.emplace();
  loss_->condition = why.condition.text;
  loss_->description = why.description;
}

}  // namespace weir::eventhubs::detail
