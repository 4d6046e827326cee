#include "report.hpp"

#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace payments {
namespace {

std::string_view fate_of_late(command_line::late_policy policy) {
  switch (policy) {
    case command_line::late_policy::drop: break;
    case command_line::late_policy::side: return "set aside";
    case command_line::late_policy::update: return "too late even to correct their windows";
  }
  return "dropped";
}

}  // namespace

std::map<std::string, sum_of_payments> report::totals() const {
  std::map<std::string, sum_of_payments> out;
  for (auto const& [where, s] : windows_) payment_sum().merge(out[where.first], s);
  return out;
}

std::string report::text(weir::tally const& deliveries, command_line::late_policy policy) const {
  auto const all = totals();
  std::size_t key_width = 3, amount_width = 5;
  for (auto const& [key, s] : all) {
    key_width = std::max(key_width, key.size());
    amount_width = std::max(amount_width, s.amount.text().size());
  }
  std::string out = fmt::format("{:<{}}  payments  {:>{}}\n", "key", key_width, "total", amount_width);
  for (auto const& [key, s] : all) out += fmt::format("{:<{}}  {:>8}  {:>{}}\n", key, key_width, s.payments, s.amount.text(), amount_width);
  auto const& d = deliveries;
  out += fmt::format("\n{} deliveries: {} counted, {} duplicates, {} late ({})", d.in, d.out, d.duplicate, d.late, fate_of_late(policy));
  if (d.dead != 0) out += fmt::format(", {} without a usable time", d.dead);
  if (d.open != 0) out += fmt::format(", {} in windows that are still open", d.open);
  out += '\n';
  for (auto const& p : late_) out += fmt::format("late: {} {} {} of {}\n", p.id, p.key, p.amount.text(), command_line::time_text(p.time));
  return out;
}

}  // namespace payments
