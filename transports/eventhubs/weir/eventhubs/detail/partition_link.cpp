#include <weir/eventhubs/detail/partition_link.hpp>

#include <weir/amqp/encoder.hpp>
#include <weir/amqp/terminus_writer.hpp>

#include <utility>
#include <variant>

namespace weir::eventhubs::detail {
namespace {

constexpr std::uint32_t most_open = 64;  // deliveries that are settled by one frame
// The descriptor of the selector filter; the service looks at the name.
constexpr std::uint64_t selector_code = 0x468c00000004;
constexpr std::string_view selector_name = "apache.org:selector-filter:string";

std::string encoded_filter(starting_position const& from) {
  std::string out;
  amqp::encoder to(out);
  auto const map = to.begin_map();
  to.symbol(selector_name);
  to.described_by(selector_code);
  to.string(selector(from));
  to.end(map);
  return out;
}

std::string encoded_properties(partition_link_options const& of) {
  std::string out;
  amqp::encoder to(out);
  auto const map = to.begin_map();
  to.symbol("com.microsoft:receiver-name");
  to.string(of.receiver);
  if (of.owner_level) {
    to.symbol("com.microsoft:epoch");
    to.int64(*of.owner_level);
  }
  to.end(map);
  return out;
}

std::string encoded_wishes(bool runtime) {
  std::string out;
  amqp::encoder to(out);
  auto const array = to.begin_symbols();
  to.array_symbol("com.microsoft:georeplication");
  if (runtime) to.array_symbol("com.microsoft:enable-receiver-runtime-metric");
  to.end(array);
  return out;
}

}  // namespace

partition_link::partition_link(partition_link_options options)
    : options_(std::move(options)),
      address_(address_of(options_)),
      unpacker_(options_.partition),
      window_(options_.most_events, options_.most_bytes) {}

std::string partition_link::address_of(partition_link_options const& options) {
  return options.event_hub + "/ConsumerGroups/" + options.consumer_group + "/Partitions/" + options.partition;
}

starting_position partition_link::next_start() const {
  if (!last_) return options_.from;
  from_sequence_number behind;
  behind.sequence_number = *last_;
  return behind;
}

void partition_link::open(amqp::connection& on, amqp::session_id session) {
  std::string const filter = encoded_filter(next_start()), properties = encoded_properties(options_),
                    wishes = encoded_wishes(options_.runtime);
  amqp::source_terminus source;
  source.address = address_;
  source.filter = {filter};
  std::string const from = amqp::encoded(source), to = amqp::encoded_target(options_.receiver);
  amqp::link_options link;
  std::string const name = address_ + "-" + options_.receiver;
  link.name = name;
  link.role = amqp::role::receiver;
  link.source = {from};
  link.target = {to};
  link.properties = {properties};
  link.desired_capabilities = {wishes};
  attached_ = false;
  open_ = 0;
  lost_.reset();
  session_ = session;
  link_ = on.attach(session, link);
  if (!link_) lose({});  // the session is gone
}

void partition_link::grant(amqp::connection& on) {
  if (!attached_) return;
  if (auto const credit = window_.grant(on.credit(*link_))) on.grant(*link_, *credit);
}

void partition_link::lose(amqp::error_view const& why) {
  lost_.emplace();
  lost_->condition = why.condition.text;
  lost_->description = why.description;
  lost_->does = reaction_to(why.condition.text);
  if (lost_->does == reaction::from_start) {
    last_.reset();
    options_.from = options_.otherwise;
  }
  attached_ = false;
  open_ = 0;
  link_.reset();
}

bool partition_link::take(amqp::connection& on, amqp::connection_event const& event) {
  if (!link_) return false;
  if (auto const* const attached = std::get_if<amqp::link_attached>(&event); attached != nullptr && attached->link == link_) {
    attached_ = !attached->refused;  // refused: the detach that follows says why
    grant(on);
    return true;
  }
  if (auto const* const message = std::get_if<amqp::message_arrived>(&event); message != nullptr && message->link == link_) {
    arrived(on, *message);
    return true;
  }
  if (auto const* const gone = std::get_if<amqp::link_detached>(&event); gone != nullptr && gone->link == link_) {
    lose(gone->why);
    return true;
  }
  if (auto const* const ended = std::get_if<amqp::session_ended>(&event); ended != nullptr && ended->session == session_) {
    lose(ended->why);
    return true;
  }
  return false;
}

void partition_link::arrived(amqp::connection& on, amqp::message_arrived const& message) {
  if (!message.settled) {
    // Nothing else is in the session, so that all between the first and the last are this link's.
    if (open_++ == 0) first_open_ = message.delivery_id;
    last_open_ = message.delivery_id;
    if (open_ >= most_open) settle(on);
  }
  if (fault_) return;
  auto read = unpacker_.unpack(message.bytes);
  if (!read) {
    fault_ = read.error();
    return;
  }
  if (last_ && read->sequence_number() <= *last_) {  // it has been there: by a link that was lost before
    grant(on);
    return;
  }
  last_ = read->sequence_number();
  window_.arrived(message.bytes.size());
  sizes_.push_back(message.bytes.size());
  ready_.push_back(*std::move(read));
}

void partition_link::settle(amqp::connection& on) {
  if (open_ != 0) on.settle(*link_, first_open_, last_open_, amqp::outcome::accepted);
  open_ = 0;
}

std::vector<record> partition_link::records(amqp::connection* on) {
  for (std::size_t const size : sizes_) window_.taken(size);
  sizes_.clear();
  if (on != nullptr && link_) {
    settle(*on);
    grant(*on);
  }
  return std::exchange(ready_, {});
}

void partition_link::disconnected() {
  if (link_) lose({});
}

void partition_link::refused(std::string why) {
  lose({});
  lost_->description = std::move(why);
}

void partition_link::close(amqp::connection& on) {
  if (link_) on.detach(*link_, true);
}

}  // namespace weir::eventhubs::detail
