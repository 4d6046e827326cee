#include <weir/error.hpp>
#include <weir/operators/detail/split_control.hpp>

#include <string>
#include <utility>

namespace weir::detail {
namespace {

// What goes before the ids of the operators behind a half.
std::string half_prefix(std::size_t n) { return "split " + std::to_string(n) + "/"; }

}  // namespace

split_barrier::half::half(split_barrier& b, std::size_t n)
    : barrier(b.whole_, b.whole_.line() + half_prefix(n), b.of_->family_behind(b.whole_.family())), both_(b), n_(n) {}

void split_barrier::half::hold(bool held) {
  if (both_.of_) both_.of_->hold(n_, held);
}

split_barrier::split_barrier(barrier& whole, split_control& of) : whole_(whole), of_(&of), halves_{half(*this, 0), half(*this, 1)} {
  whole_.divide();
}

void split_barrier::half_completed() noexcept {
  if (!completed()) return;
  for (std::size_t n = 0; n != halves_.size(); ++n) whole_.state().add(half_prefix(n), std::move(halves_[n].state()));
  whole_.complete();
}

split_control::split_control(split_options o, lineage of_source) : options_(o), lineage_(std::move(of_source)) {
  if (o.capacity == 0) throw error(errc::invalid_option, "split: cannot be built", "its capacity is 0", "give it at least 1 element");
  if (o.patience <= std::chrono::nanoseconds::zero())
    throw error(errc::invalid_option, "split: cannot be built", "its patience is not above zero", "give it a time");
}

split_control::~split_control() {
  for (auto const& b : barriers_) b->leave();
}

void split_control::add_lineage(std::size_t half, lineage& l) const { l.add(lineage_.branch(half_prefix(half), family_)); }

bool split_control::over(std::size_t half) {
  if (failure_) std::rethrow_exception(failure_);
  if (ended_) return true;
  if (!gone(other(half)) || options_.when_dropped == split_dropped::discard) return false;
  throw error(errc::misuse, "split: cannot go on", "the other half was dropped before its end",
              "consume both to their end, or allow it with split_dropped::discard");
}

void split_control::throw_stalled(std::size_t half) const {
  std::string const waiting = "the other half has " + std::to_string(options_.capacity) + " elements waiting and ";
  if (halves_[other(half)].held) {
    throw error(errc::stalled, "split: cannot go on",
                waiting + "is held where the halves meet, until a checkpoint has come through this one, which keeps it back",
                "put what waits for more elements (window(n), partition_by, a generator that yields seldom) behind the merge");
  }
  throw error(errc::stalled, "split: cannot go on", waiting + "nobody asks for them",
              "consume both halves beside each other (when_all), or raise the capacity");
}

void split_control::hold(std::size_t half, bool held) {
  halves_[half].held = held;
  split_wait* const w = halves_[other(half)].asleep;
  if (w && held) w->begin_patience();
  else wake(other(half));
}

void split_control::drop(std::size_t half) noexcept {
  halves_[half].gone = true;
  halves_[half].waiting = 0;
  if (options_.when_dropped == split_dropped::discard) {
    forget(half);
    for (auto const& b : barriers_) (*b)[half].complete();
  }
  wake(other(half));
}

std::optional<mark> split_control::for_half(mark const& m, std::size_t half) {
  if (m.kind == mark_kind::restore) return mark::restore(m.state->branch(half_prefix(half), family_behind(m.state->family())));
  if (m.kind == mark_kind::barrier) {
    if (half == 0) {
      while (!barriers_.empty() && barriers_.front()->completed()) barriers_.pop_front();
      m.cut->keep(barriers_.emplace_back(std::make_shared<split_barrier>(*m.cut, *this)));
    }
    barrier& own = (*barriers_.back())[half];
    if (!gone(half) || options_.when_dropped != split_dropped::discard) return mark::barrier(own);
    own.complete();
    return std::nullopt;
  }
  if (gone(half)) return std::nullopt;
  return m;
}

void split_control::wake(std::size_t half) noexcept {
  if (split_wait* const w = std::exchange(halves_[half].asleep, nullptr)) w->wake();
}

split_wait::~split_wait() {
  if (split_wait*& asleep = control_.halves_[half_].asleep; asleep == this) asleep = nullptr;
}

bool split_wait::begin(context& ctx, std::coroutine_handle<> h) {
  cancelled_ = ctx.cancelled();
  if (cancelled_) return false;
  ctx_ = &ctx;
  waiting_ = h;
  std::size_t const other = split_control::other(half_);
  if (control_.full(other) && control_.nobody_at(other, control_.halves_[half_].consumer)) begin_patience();
  ctx.cancelling().add(*this);
  control_.halves_[half_].asleep = this;
  return true;
}

void split_wait::begin_patience() {
  if (!pending()) ctx_->clock().start(*this, control_.options_.patience);
}

void split_wait::wake() noexcept {
  unlink();
  if (ctx_->nursery().dead()) return;  // so is the event loop
  ctx_->clock().stop(*this);
  ctx_->environment().post(resumption(waiting_, ctx_->nursery()));
}

void split_wait::fire() noexcept {
  unlink();
  control_.halves_[half_].asleep = nullptr;
  stalled_ = true;
  drive(waiting_);
}

void split_wait::lost() noexcept { ctx_->nursery().abandon(); }

void split_wait::on_cancel() noexcept {
  cancelled_ = true;
  control_.halves_[half_].asleep = nullptr;
  wake();
}

}  // namespace weir::detail
