#include <weir/operators/detail/barrier_alignment.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace weir::detail {
namespace {

std::uint64_t family_of(mark const& m) noexcept {
  if (m.kind == mark_kind::barrier) return m.cut->family();
  return m.kind == mark_kind::restore ? m.state->family() : 0;
}

[[noreturn]] void throw_different() {
  throw error(errc::misuse, "merge: cannot go on", "branches of a split have come to different checkpoints: one of them has lost a barrier",
              "an operator that takes marks (next_chunk) hands each of them on");
}

}  // namespace

met_barrier::met_barrier(std::vector<barrier*> branches, std::string line)
    : barrier(*branches.front(), std::move(line), branches.front()->family()), branches_(std::move(branches)) {
  for (barrier const* const b : branches_)
    if (b->overtaken()) overtake();
}

void met_barrier::hold(bool held) {
  for (barrier* const b : branches_) b->hold(held);
}

void met_barrier::on_complete() noexcept {
  root().state().add(line(), std::move(state()));
  for (barrier* const b : branches_) b->complete();
}

barrier_alignment::barrier_alignment(std::vector<lineage> inputs) {
  inputs_.reserve(inputs.size());
  for (lineage& l : inputs) inputs_.emplace_back(std::move(l));
}

bool barrier_alignment::meets(std::size_t input, mark const& m) const noexcept {
  std::uint64_t const family = family_of(m);
  if (family == 0 || !inputs_[input].from.has(family)) return false;
  for (std::size_t i = 0; i != inputs_.size(); ++i)
    if (i != input && inputs_[i].from.has(family)) return true;
  return false;
}

void barrier_alignment::arrived(std::size_t input, mark const& m) {
  inputs_[input].at = m;
  ++waiting_;
  if (m.kind == mark_kind::barrier) m.cut->hold(true);
}

bool barrier_alignment::all_there(std::uint64_t family, mark_kind kind) const noexcept {
  return std::all_of(inputs_.begin(), inputs_.end(), [&](input const& in) {
    return in.ended || !in.from.has(family) || (in.at && in.at->kind == kind && family_of(*in.at) == family);
  });
}

std::optional<std::size_t> barrier_alignment::first_complete() const noexcept {
  for (std::size_t i = 0; i != inputs_.size(); ++i)
    if (inputs_[i].at && all_there(family_of(*inputs_[i].at), inputs_[i].at->kind)) return i;
  return std::nullopt;
}

std::string barrier_alignment::line_behind(std::uint64_t family) const {
  lineage all;
  for (input const& in : inputs_) all.add(in.from);
  return all.line(family);
}

barrier_alignment::meeting barrier_alignment::take() {
  mark const first = *inputs_[first_complete().value()].at;
  std::uint64_t const family = family_of(first);
  std::vector<barrier*> barriers;
  meeting met(first, {});
  for (std::size_t i = 0; i != inputs_.size(); ++i) {
    std::optional<mark>& at = inputs_[i].at;
    if (!at || family_of(*at) != family) continue;
    met.inputs.push_back(i);
    if (at->kind == mark_kind::barrier) barriers.push_back(at->cut);
    at.reset();
    --waiting_;
  }
  if (first.kind == mark_kind::restore) {
    met.passes = mark::restore(first.state->root().branch(line_behind(family), family));
    return met;
  }
  weir::barrier& whole = first.cut->root();
  if (std::any_of(barriers.begin(), barriers.end(), [&](barrier* b) { return &b->root() != &whole; })) throw_different();
  for (barrier* const b : barriers) b->hold(false);
  auto const together = std::make_shared<met_barrier>(std::move(barriers), line_behind(family));
  whole.keep(together);
  met.passes = mark::barrier(*together);
  return met;
}

}  // namespace weir::detail
