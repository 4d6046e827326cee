#include <weir/eventhubs/detail/client_state.hpp>

#include <weir/error.hpp>
#include <weir/eventhubs/connection_string.hpp>
#include <weir/eventhubs/detail/service_address.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <utility>

namespace weir::eventhubs::detail {
namespace {

[[noreturn]] void refuse_client(std::string why, std::string advice = {}) {
  throw error(errc::invalid_option, "event hubs: cannot make a client", std::move(why), std::move(advice));
}

connection_string where_to(client_options const& o) {
  if (o.connection_string.empty() == o.host.empty())
    refuse_client(o.host.empty() ? "neither a connection string nor a host is given" : "both a connection string and a host are given",
                  "give connection_string, or host and tokens");
  if (!o.host.empty()) {
    if (!o.tokens) refuse_client("a host is given, and no tokens", "give tokens, or a connection string that has a key");
    connection_string out;
    out.host = o.host;
    return out;
  }
  return connection_string::parse(o.connection_string);
}

std::string hub_of(client_options const& o, connection_string const& where) {
  if (o.event_hub.empty() && where.event_hub.empty())
    refuse_client("no event hub is named", "give event_hub, or a connection string with an EntityPath");
  if (!o.event_hub.empty() && !where.event_hub.empty() && o.event_hub != where.event_hub)
    refuse_client("event_hub is " + o.event_hub + ", and the connection string is of " + where.event_hub);
  return o.event_hub.empty() ? where.event_hub : o.event_hub;
}

}  // namespace

client_state::client_state(client_options o)
    : timeout_(o.timeout), most_batch_bytes_(o.most_batch_bytes), seed_(o.seed != 0 ? o.seed : std::random_device()()) {
  if (timeout_ <= std::chrono::milliseconds{}) refuse_client("timeout is not above zero");
  if (most_batch_bytes_ < 1024) refuse_client("most_batch_bytes is not 1024 or more");
  connection_string const where = where_to(o);
  host_ = where.host;
  authority_ = where.authority();
  event_hub_ = hub_of(o, where);
  tokens_ = o.tokens ? std::move(o.tokens) : tokens_of(where);
  open_ = o.open ? std::move(o.open) : opener_to(service_address(where.host, where.port, where.emulator, o.transport, o.endpoint), o.net);
}

std::uint32_t client_state::next_seed() { return seed_ + 2'654'435'761U * ++made_; }

std::uint32_t client_state::seed() {
  std::lock_guard const held(lock_);
  return next_seed();
}

std::string client_state::unique_name() {
  std::uint32_t const own = seed(), other = seed();
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "weir-%08x%08x", own, other);
  return out.data();
}

client_state::entry& client_state::entry_of(context const& of) {
  auto const lent = std::ranges::find(entries_, &of.environment(), &entry::lent_on);
  return lent != entries_.end() ? *lent : entry_of(of.nursery());
}

client_state::entry& client_state::entry_of(weir::detail::nursery& run) {
  std::erase_if(entries_, [](entry const& e) { return e.connection.expired() && e.senders.expired() && !e.lent_on; });
  auto const own = std::ranges::find(entries_, &run, &entry::run);
  if (own != entries_.end()) return *own;
  entry made;
  made.run = &run;
  made.lent_on = nullptr;
  return entries_.emplace_back(std::move(made));
}

client_state::lending::lending(std::shared_ptr<client_state> s, context const& of) : state_(std::move(s)), run_(&of.nursery()) {
  std::lock_guard const held(state_->lock_);
  state_->entry_of(of).lent_on = &of.environment();
}

client_state::lending::~lending() {
  std::lock_guard const held(state_->lock_);
  auto const own = std::ranges::find(state_->entries_, run_, [](entry const& e) -> weir::detail::nursery const* { return e.run; });
  if (own != state_->entries_.end()) own->lent_on = nullptr;
}

std::shared_ptr<hub_connection> client_state::connection(entry& e) {
  auto known = e.connection.lock();
  if (known && !known->over()) return known;
  hub_connection_options options;
  options.open = open_;
  options.tokens = tokens_;
  options.seed = next_seed();
  options.session.container_id = "weir-" + std::to_string(seed_) + '-' + std::to_string(options.seed);
  options.session.hostname = host_;
  options.session.patience = timeout_;
  auto made = std::make_shared<hub_connection>(*e.run, std::move(options));
  e.connection = made;
  e.management.reset();
  return made;
}

std::shared_ptr<hub_connection> client_state::connection(context const& of) {
  std::lock_guard const held(lock_);
  return connection(entry_of(of));
}

std::shared_ptr<hub_management> client_state::management(context const& of) {
  management_options options;
  options.event_hub = event_hub_;
  options.authority = authority_;
  options.tokens = tokens_;
  options.patience = timeout();
  options.seed = seed();
  std::shared_ptr<hub_connection> by;
  {
    std::lock_guard const held(lock_);
    entry& e = entry_of(of);
    by = connection(e);
    if (auto known = e.management.lock()) return known;
  }
  auto made = std::make_shared<hub_management>(by, std::move(options));  // begins to connect, by functions of others
  std::lock_guard const held(lock_);
  entry_of(of).management = made;
  return made;
}

std::shared_ptr<hub_sender> client_state::sender(context const& of, std::string const& partition) {
  hub_sender_options options;
  options.event_hub = event_hub_;
  options.partition = partition;
  options.authority = authority_;
  options.name = unique_name();
  options.most_bytes = most_batch_bytes_;
  options.patience = timeout_;
  options.seed = seed();
  std::shared_ptr<hub_connection> by;
  std::shared_ptr<sender_desk> desk;
  {
    std::lock_guard const held(lock_);
    entry& e = entry_of(of.nursery().outermost());
    desk = e.senders.lock();
    if (!desk) {
      desk = std::make_shared<sender_desk>(of.clock());
      e.senders = desk;
      e.run->keep(desk);  // at the run's end there is none any more: it is this call's
    }
    if (auto known = desk->find(partition)) return known;
    by = connection(e);
  }
  auto made =
      std::make_shared<hub_sender>(std::move(by), std::move(options), of.environment());  // begins to connect, by functions of others
  desk->add(partition, made);
  return made;
}

}  // namespace weir::eventhubs::detail
