#include <weir/ledger.hpp>

namespace weir {
namespace {

template <class Parts> tally sum_of(Parts const& parts) {
  tally total;
  for (auto const& [who, t] : parts) total += *t;
  return total;
}

}  // namespace

tally& tally::operator+=(tally const& o) noexcept {
  in += o.in;
  out += o.out;
  late += o.late;
  duplicate += o.duplicate;
  dead += o.dead;
  open += o.open;
  return *this;
}

std::shared_ptr<tally> ledger::open(std::string name, std::string who) {
  auto& parts = (*books_)[std::move(name)];
  auto fresh = std::make_shared<tally>();
  auto [place, end] = parts.equal_range(who);
  while (place != end && place->second.use_count() > 1) ++place;
  if (place != end) place->second = fresh;
  else parts.emplace(std::move(who), fresh);
  return fresh;
}

tally ledger::sum(std::string_view name) const {
  auto const it = books_->find(name);
  return it == books_->end() ? tally() : sum_of(it->second);
}

std::map<std::string, tally, std::less<>> ledger::all() const {
  std::map<std::string, tally, std::less<>> out;
  for (auto const& [name, parts] : *books_) out.emplace(name, sum_of(parts));
  return out;
}

}  // namespace weir
