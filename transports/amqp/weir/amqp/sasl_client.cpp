#include <weir/amqp/frame.hpp>
#include <weir/amqp/sasl_client.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace weir::amqp {
namespace {

constexpr std::size_t largest_sasl_frame = 512;  // until both sides have said what they take: 5.3.1

}  // namespace

sasl_client::sasl_client(sasl_options options) : options_(std::move(options)), output_(protocol_header(protocol::sasl)) {}

sasl_progress sasl_client::broken(errc why) noexcept {
  fault_ = why;
  return progress_ = sasl_progress::broken;
}

sasl_progress sasl_client::feed(std::string_view bytes) {
  input_.append(bytes);
  std::string_view left = input_;
  if (!header_) {
    std::string_view const wanted = protocol_header(protocol::sasl);
    std::size_t const size = std::min(left.size(), wanted.size());
    if (left.substr(0, size) != wanted.substr(0, size)) return broken(errc::wrong_protocol);
    if (left.size() < wanted.size()) return progress_;
    left.remove_prefix(wanted.size());
    header_ = true;
  }
  while (progress_ == sasl_progress::under_way) {
    auto const f = take_frame(left, largest_sasl_frame);
    if (!f) return broken(f.error());
    if (!*f) break;
    if ((*f)->type != protocol::sasl) return broken(errc::unknown_body);
    value_reader reader((*f)->body);
    auto const body = read_sasl(reader);
    if (!body) return broken(body.error());
    if (auto const* const offered = std::get_if<sasl_mechanisms>(&*body); offered != nullptr && !chosen_) {
      take(*offered);
    } else if (auto const* const outcome = std::get_if<sasl_outcome>(&*body); outcome != nullptr && chosen_) {
      take(*outcome);
    } else {
      return broken(errc::out_of_order);  // no mechanism that it knows is challenged
    }
  }
  input_.erase(0, input_.size() - left.size());
  return progress_;
}

void sasl_client::take(sasl_mechanisms const& offered) {
  auto const names = value_reader(offered.server_mechanisms.bytes).next();
  if (names && names->text()) offered_ = *names->text();
  if (names) {
    for (item_reader items = names->items(); items.left() != 0;) {
      auto const one = items.next();
      if (!one) break;
      offered_.append(offered_.empty() ? "" : ", ").append(one->text().value_or(""));
    }
  }
  if (!offered.has(options_.mechanism)) {
    progress_ = sasl_progress::refused;
    return;
  }
  chosen_ = true;
  std::string response = options_.user;
  if (options_.mechanism == "PLAIN") response = std::string(1, '\0') + options_.user + std::string(1, '\0') + options_.password;
  sasl_init init;
  init.mechanism = {options_.mechanism};
  init.initial_response = binary_view{response};
  init.hostname = options_.hostname;
  write_frame(output_, init);
}

void sasl_client::take(sasl_outcome const& outcome) {
  outcome_ = outcome.outcome;
  progress_ = outcome.outcome == sasl_code::ok ? sasl_progress::done : sasl_progress::refused;
}

}  // namespace weir::amqp
