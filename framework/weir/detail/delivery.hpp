#pragma once
#include <weir/detail/progress.hpp>
#include <weir/error.hpp>
#include <weir/record.hpp>
#include <weir/reschedule.hpp>
#include <weir/stream.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace weir::detail {

// Knows which of a partition's elements are done while they are out with the handler.
template <class R> class delivery final : public progress::witness {
public:
  delivery(progress& p, producer<R> const& out, std::optional<position> const& after) : progress_(p), out_(out), end_(after) {
    if constexpr (!positioned<R>) count_ = after ? after->offset() : 0;
    p.opened(this);
  }
  delivery(delivery const&) = delete;
  delivery& operator=(delivery const&) = delete;
  ~delivery() { progress_.closed(); }

  void hand_out(std::span<R const> chunk) {
    out_now_ = chunk;
    progress_.report().handed(chunk.size());
    if (chunk.empty()) return;
    progress_.handing_out().hand_out(chunk.size());
    if constexpr (!positioned<R>) count_ += chunk.size();
    end_ = position_of(chunk.size() - 1);
  }
  void asked_for_more() noexcept {
    progress_.report().returned();
    progress_.settle(true);
    out_now_ = {};
    portion& handed = progress_.handing_out();
    if (end_ && progress_.frontier() == end_) handed.done(handed.handed());
  }
  std::optional<position> const& end() const noexcept { return end_; }

  std::optional<position> settled(bool including) const noexcept override {
    if (out_now_.empty()) return std::nullopt;
    std::ptrdiff_t const n = out_.settled(out_now_.data(), including);
    if (n == producer<R>::unknown || n <= 0) return std::nullopt;
    return position_of(static_cast<std::size_t>(n) - 1);
  }

  bool tells() const noexcept override { return out_now_.empty() || out_.settled(out_now_.data(), true) != producer<R>::unknown; }

private:
  position position_of(std::size_t i) const noexcept {
    if constexpr (positioned<R>) return out_now_[i].position();
    else return position(count_ - out_now_.size() + i + 1);
  }

  progress& progress_;
  producer<R> const& out_;
  std::span<R const> out_now_;
  std::uint64_t count_ = 0;
  std::optional<position> end_;
};

// What a handler is given: the transport's elements, with a barrier wherever a checkpoint is due and in front of a failure of the
// transport, and commits on the way. The handler asks for more: everything before is done. `text`: what a dead letter has of an element.
template <class R> stream<R> deliver(stream<R> records, progress& p, std::function<std::string(R const&)> const& text) {
  producer<R> const& me = co_await this_producer<R>();
  delivery<R> out(p, me, p.resumes_behind());
  if (restored_state* const state = p.restoring()) co_yield mark::restore(*state);
  if (p.takes_over()) {
    co_yield mark::barrier(p.cut(*out.end()));
    if (p.commit_wanted()) co_await p.commit();
  }
  bool stopped = false;
  for (unsigned round = 1;; ++round) {
    chunk<R> c;
    context& puller = co_await current_context();  // each pull may come from another branch
    std::exception_ptr failure;
    p.report().pulls();
    try {
      progress::intake open(p, puller);
      c = co_await next_chunk(records, open.branch());
    } catch (error const& e) {
      stopped = p.stopping() && !puller.cancelled() && e.code() == condition::cancelled;
      if (!stopped) failure = std::current_exception();
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) {  // what came before it is committed, with the state that belongs to it
      if (!puller.cancelled() && p.handing_out().handed() != 0) co_yield mark::barrier(p.cut(*out.end()));
      std::rethrow_exception(failure);
    }
    if (!c) break;
    if (!c.elements.empty()) p.report().idle(false);
    else if (!c.marks.empty() && c.marks.back().kind == mark_kind::idle) p.report().idle(true);
    c = p.handing_out().of(c);
    bool const alone = p.handing_out().of_one() && !c.elements.empty();
    std::string payload = alone ? text(c.elements.front()) : std::string();
    out.hand_out(c.elements);
    if (alone) p.handing_out().hand_out_alone(*out.end(), std::move(payload));
    co_yield c;
    out.asked_for_more();
    if (p.due(c.elements.size(), !c.marks.empty())) co_yield mark::barrier(p.cut(*out.end()));
    if (p.commit_wanted()) co_await p.commit();
    if (p.over_budget()) [[unlikely]] {
      if (p.cut_helps()) {
        co_yield mark::barrier(p.cut(*out.end()));
        if (p.state_too_large()) {  // a working set lets go of what is committed, with the barrier behind
          co_await p.commit();
          co_yield mark::barrier(p.cut(*out.end()));
        }
      }
      bool const more = co_await p.make_room();
      stopped = !more;
      if (stopped) break;
    }
    if (p.handing_out().used_up()) {
      co_yield mark::barrier(p.close(*out.end()));
      p.handing_out().end();
      stopped = true;
      break;
    }
    if (round % 64 == 0) co_await reschedule();  // a source that never waits must not keep signals and timers out
  }
  p.report().handed(0);  // what was open is its affair now
  bool const for_good = !stopped && !p.leaves_open() && p.ends_elsewhere();
  if (out.end()) {
    weir::barrier& last = for_good ? p.close(*out.end()) : p.cut(*out.end());
    co_yield mark::barrier(last);
  }
  if (stopped || p.leaves_open()) co_yield mark::stop();
  else if (for_good) co_yield mark::handed_over();
  p.over(!stopped, out.end());
}

}  // namespace weir::detail
