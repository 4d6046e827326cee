#include <weir/testing/detail/partition_turns.hpp>

#include <weir/error.hpp>
#include <weir/task.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace weir::testing::detail {
namespace {

constexpr position behind_all(std::numeric_limits<std::uint64_t>::max());

}  // namespace

partition_turns::partition_turns(std::vector<scripted_partition> all) : all_(std::move(all)) {
  for (scripted_partition const& p : all_) {
    matter_ = matter_ || !p.follows.empty();
    for (std::string const& before : p.follows)
      if (!find(before))
        throw error(errc::invalid_option, "script: cannot be read", p.id + " follows " + before + ", which it does not have");
  }
}

scripted_partition const* partition_turns::find(std::string_view id) const noexcept {
  auto const found = std::ranges::find(all_, id, &scripted_partition::id);
  return found == all_.end() ? nullptr : &*found;
}

bool partition_turns::readable(scripted_partition const& p) const {
  return is_.at(p.id) == state::waiting &&
         std::ranges::all_of(p.follows, [this](std::string const& before) { return is_.at(before) == state::done; });
}

stream<assignment> partition_turns::assignments(assignment_view& pipeline) { return run(*this, pipeline); }

stream<assignment> partition_turns::run(partition_turns& me, assignment_view& pipeline) {
  for (std::size_t i = 0; i != me.all_.size(); ++i) {
    std::string const id = me.all_[i].id;
    task<std::optional<position>> asking = pipeline.committed(id);
    std::optional<position> const at = co_await std::move(asking);
    me.is_[id] = at && at == me.end_of(id) ? state::done : state::waiting;
  }
  for (;;) {
    for (std::size_t i = 0; i != me.all_.size(); ++i) {
      if (!me.readable(me.all_[i])) continue;
      me.is_[me.all_[i].id] = state::reading;
      assignment next(assignment_kind::assigned, me.all_[i].id);
      co_yield next;
    }
    bool const more = std::ranges::any_of(me.all_, [&me](scripted_partition const& p) { return me.readable(p); });
    bool const some = std::ranges::any_of(me.is_, [](auto const& p) { return p.second == state::reading; });
    if (!more && !some) co_return;
    if (!more) co_await me.changed_.wait();
  }
}

void partition_turns::ended(std::string const& partition, partition_end how) noexcept {
  if (auto const found = is_.find(partition); found != is_.end())
    found->second = how == partition_end::finished ? state::done : state::given_up;
  changed_.wake();
}

std::optional<position> partition_turns::end_of(std::string const& partition) const {
  for (scripted_partition const& p : all_)
    if (std::ranges::find(p.follows, partition) != p.follows.end()) return behind_all;
  return std::nullopt;
}

std::vector<predecessor> partition_turns::predecessors(std::string const& partition) const {
  std::vector<predecessor> out;
  scripted_partition const* const me = find(partition);
  for (std::string const& before : me ? me->follows : std::vector<std::string>()) {
    auto const first =
        std::ranges::find_if(all_, [&](scripted_partition const& p) { return std::ranges::find(p.follows, before) != p.follows.end(); });
    out.emplace_back(before, first->id == partition);
  }
  return out;
}

std::vector<std::string> partition_turns::heirs(std::string const& partition) const {
  std::vector<std::string> out;
  for (scripted_partition const& p : all_)
    if (std::ranges::find(p.follows, partition) != p.follows.end()) out.push_back(p.id);
  return out;
}

bool partition_turns::owns(std::string const& partition, std::string_view partition_key) const {
  scripted_partition const* const p = find(partition);
  return !p || !p->has_key || p->has_key(partition_key);
}

}  // namespace weir::testing::detail
