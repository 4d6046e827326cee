#pragma once
#include <weir/detail/checkpoint_line.hpp>
#include <weir/detail/memory_account.hpp>
#include <weir/detail/out_buffer.hpp>
#include <weir/detail/watched_operators.hpp>
#include <weir/stage.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <vector>

namespace weir::detail {

template <class S> void explain_stage(S const& s, explanation& e) {
  if constexpr (requires { s.explain(e); }) s.explain(e);
}

// Whether there is something to see of it between two chunks: of time, or its books.
template <class S>
concept counting_stage = requires(S const& s) { s.counted(); };
template <class S>
concept watched_stage = counting_stage<S> || requires(S const& s, explanation& e) { s.explain(e); };

template <class S> void look_at_stage(S const& s, operator_sight& to) {
  std::size_t const before = to.time.windows.size();
  explain_stage(s, to.time);
  if constexpr (stateful_stage<S>) note_open_windows(to, before, s.state_id());
  if constexpr (counting_stage<S>) to.books.emplace_back(s.state_id(), s.counted());
}

template <class S>
concept memory_stage = requires(S& s) { s.memory(); };

template <class S> void enter_memory(S const& s, memory_account* in, memory_account::entry& e) {
  constexpr auto what = requires { requires S::passing_memory; } ? memory_account::holding::passing : memory_account::holding::state;
  if constexpr (stateful_stage<S>) e.enter(in, s.state_id(), what);
  else e.enter(in, S::memory_name, what);
}

// A chain of stages that runs: one loop over the elements of the source's chunk. When the source has a chunk the stages run inside its
// hand-over, and control goes straight on to the consumer, or back to the source.
template <class Shape, bool FromTimed, class Source, class... Stages>
class fused_producer final : public producer<typename Shape::element>, public pooled {
public:
  using element_type = typename Shape::element;

  fused_producer(stream<Source> s, std::tuple<Stages...> stages) : source_(std::move(s)), stages_(std::move(stages)) {}
  ~fused_producer() { source_.source().detach(settled_here(false), settled_here(true), holds()); }
  void dispose() noexcept override { delete this; }
  void explain(explanation& e) const override {
    source_.source().explain(e);
    std::apply([&e](auto const&... s) { (explain_stage(s, e), ...); }, stages_);
  }
  void add_lineage(lineage& l) const override { source_.add_lineage(l); }

private:
  using base = producer<element_type>;
  static constexpr bool has_state = (stateful_stage<Stages> || ...);
  static_assert(((stateful_stage<Stages> || !whole_state_stage<Stages>) && ...), "weir: a stage with save() needs a state_id()");
  static constexpr bool may_hold = (holding_stage<Stages> || ...);
  static constexpr bool has_memory = (memory_stage<Stages> || ...);
  static constexpr bool is_watched = (watched_stage<Stages> || ...);

  // The way down from stage I - 1: two pointers in registers, so that handing on costs nothing.
  template <std::size_t I> struct link {
    fused_producer* chain;
    Source const* origin;

    template <class X, class Time> [[gnu::always_inline]] bool element(X&& x, Time t) const {
      if constexpr (I == sizeof...(Stages)) return chain->collect(x, t, origin);
      else return std::get<I>(chain->stages_).element(x, t, link<I + 1>{chain, origin});
    }
    bool mark(weir::mark const& m) const {
      if constexpr (I == sizeof...(Stages)) {
        return chain->collect_mark(m);
      } else {
        auto& s = std::get<I>(chain->stages_);
        if constexpr (has_state && I == 0) chain->note_line(m);
        if constexpr (stateful_stage<std::decay_t<decltype(s)>>) {
          if (m.kind == mark_kind::barrier) save_stage(s, *m.cut, chain->told_[I]);
          else if (m.kind == mark_kind::restore) restore_stage(s, *m.state);
          else if constexpr (requires { s.handed_over(); })
            if (m.hands_over()) s.handed_over();
        }
        return s.mark(m, link<I + 1>{chain, origin});
      }
    }
    bool finish() const {
      if constexpr (I == sizeof...(Stages)) return true;
      else return std::get<I>(chain->stages_).finish(link<I + 1>{chain, origin});
    }
  };

  void note_line(weir::mark const& m) {
    if (m.kind == mark_kind::barrier) line_.check(*m.cut);
  }

  template <class X, class Time> bool collect(X& x, Time t, Source const* origin) {
    if constexpr (Shape::has_time)
      if (this->wants_marks) out_times_.push_back(t.at);
    return out_.put(std::move(x), static_cast<std::uint32_t>(origin - begin_));
  }
  bool collect_mark(weir::mark m) {
    m.at = out_.size();
    if (!this->wants_marks) {
      if (out_.size() == 0) {
        this->pass_unseen(m);
        return true;
      }
      if (m.kind == mark_kind::watermark || m.kind == mark_kind::idle) return true;
    }
    if (m.kind == mark_kind::barrier) {
      out_marks_.push_back(m);
      return false;  // a barrier ends its chunk
    }
    if (!out_marks_.empty() && out_marks_.back().at == m.at && out_marks_.back().kind == m.kind) out_marks_.back() = m;
    else out_marks_.push_back(m);
    return true;
  }

  std::coroutine_handle<> produce() noexcept override {
    forget_output();
    return advance();
  }
  void forget_output() noexcept {
    if (std::uint32_t const n = out_.size(); n != 0) {
      floor_ = this->push() ? settled_here(true) : claim_of(n - 1);
      out_.clear();
    }
    if (std::exchange(has_extras_, false)) {
      out_times_.clear();
      out_marks_.clear();
    }
    this->show(nullptr, nullptr, nullptr);
  }

  // Runs until there is something to show (null) or the source must be waited for (its coroutine).
  std::coroutine_handle<> advance() noexcept {
    producer<Source>& in = source_.source();
    if (!entered_) [[unlikely]]
      enter_at(in);
    for (;;) {
      if (stopped_) {
        (void)publish();
        return {};
      }
      if (in.cursor == in.end && next_mark_ == in.marks().size()) {
        if (this->ctx->cancelled()) [[unlikely]] {
          give_up(cancelled_error());
          continue;
        }
        next_mark_ = 0;
        if (in.cursor && !holds()) floor_ = in.cursor - begin_;
        in.show(nullptr, nullptr, nullptr);
        if (!in.attached_to(this->ctx, this)) {
          in.attach(this->ctx, this, &pushed, true, nullptr);
          enter_stages();
        }
        if (std::coroutine_handle<> const h = in.pull()) return h;
        begin_chunk(in);
      }
      run(in);
      if (publish()) return {};
    }
  }
  // The source may have been pulled before it became one: the chunk that it shows is taken over where it was left.
  void enter_at(producer<Source> const& in) noexcept {
    entered_ = true;
    begin_ = in.first;
    std::ptrdiff_t const taken = in.cursor - in.first;
    auto const marks = in.marks();
    while (next_mark_ != marks.size() && marks[next_mark_].at < taken) ++next_mark_;
    if (in.cursor != in.end) enter_stages();  // else when it is pulled
  }
  void enter_stages() noexcept {
    std::apply([this](auto&... s) { (enter(s, *this->ctx), ...); }, stages_);
    if constexpr (is_watched)
      if (!watched_.entered()) watched_.enter(this->ctx->watched(), this, &look_at);
  }
  static void look_at(void const* self, operator_sight& to) {
    std::apply([&to](auto const&... s) { (look_at_stage(s, to), ...); }, static_cast<fused_producer const*>(self)->stages_);
  }
  template <class S> static void enter(S& s, context& c) noexcept {
    if constexpr (requires { s.enter(c); }) s.enter(c);
  }
  // Nobody is told, and nothing is looked at, where nobody counts.
  void count_memory() {
    if (this->ctx->memory()) [[unlikely]]
      count_memory(std::index_sequence_for<Stages...>());
  }
  template <std::size_t... I> void count_memory(std::index_sequence<I...>) { (count_memory_of(std::get<I>(stages_), memory_[I]), ...); }
  template <class S> void count_memory_of(S& s, memory_account::entry& e) {
    if constexpr (memory_stage<S>) {
      if (!e.entered()) enter_memory(s, this->ctx->memory(), e);
      e.set(s.memory());
    }
  }
  void begin_chunk(producer<Source>& in) noexcept {
    begin_ = in.cursor;
    floor_ = 0;
    claim_ = 0;
  }
  static std::coroutine_handle<> on_chunk(void* self) noexcept {
    auto& c = *static_cast<fused_producer*>(self);
    auto& in = c.source_.source();
    c.begin_chunk(in);
    c.run(in);
    if (c.publish()) return c.deliver();
    std::coroutine_handle<> const h = c.advance();
    return h ? h : c.deliver();
  }
  static bool on_element(void* self, Source& x) noexcept
    requires(!FromTimed)
  {
    auto& c = *static_cast<fused_producer*>(self);
    if (c.ctx->cancelled()) [[unlikely]] {
      c.give_up(cancelled_error());
      return false;
    }
    c.begin_ = &x;
    c.floor_ = 0;
    c.claim_ = 0;
    std::uint32_t labelled = 0;
    try {
      link<0>{&c, &x}.element(x, untimed{});
      if constexpr (may_hold) c.label(labelled, 1, false);
      if (c.out_.size() == 0 && !c.holds()) c.floor_ = 1;
      if constexpr (has_memory)
        if (++c.uncounted_ % 256 == 0) c.count_memory();
    } catch (...) {
      if constexpr (may_hold) c.label(labelled, 0, true);
      c.give_up(std::current_exception());
      return false;
    }
    c.note_over();
    return c.out_.size() == 0 && !c.stopped_;
  }
  static std::coroutine_handle<> on_pause(void* self) noexcept {
    auto& c = *static_cast<fused_producer*>(self);
    (void)c.publish();
    return c.deliver();
  }
  bool publish() noexcept {
    if (out_.size() == 0 && out_marks_.empty()) {
      if (!stopped_) return false;
      this->end_here();
      this->error = std::exchange(failed_, {});
      return true;
    }
    this->show(out_.data(), out_.data() + out_.size());
    if (!out_times_.empty() || !out_marks_.empty()) {
      out_extras_ = chunk_extras(out_times_.data(), out_marks_);
      this->extras = &out_extras_;
      has_extras_ = true;
    }
    return true;
  }

  void run(producer<Source>& in) noexcept {
    try {
      if (in.cursor == in.end && !in.extras) [[unlikely]]
        finish(in);
      else pass(in);
      if constexpr (has_memory) count_memory();
    } catch (...) {
      give_up(std::current_exception());  // what was collected before is delivered first
    }
  }
  void give_up(std::exception_ptr why) noexcept {
    failed_ = std::move(why);
    stopped_ = true;
  }
  void finish(producer<Source>& in) {  // end of the source
    stopped_ = true;
    if (in.error) failed_ = std::exchange(in.error, {});
    else if (!ended_early_) link<0>{this, begin_}.finish();
  }
  void pass(producer<Source>& in) {
    auto const marks = in.marks();
    Source* x = in.cursor;
    bool more = true;
    std::uint32_t labelled = out_.size();
    bool const ahead = looks_ahead();
    try {
      while (more) {
        Source* const stop = next_mark_ == marks.size() ? in.end : begin_ + marks[next_mark_].at;
        for (; x != stop && more; ++x) {
          if (ahead) [[unlikely]]
            foresee(x, in.end);
          if constexpr (FromTimed) more = link<0>{this, x}.element(*x, timestamp{in.extras->times[x - begin_]});
          else more = link<0>{this, x}.element(*x, untimed{});
          if constexpr (may_hold) label(labelled, x + 1 - begin_, false);
        }
        if (!more || next_mark_ == marks.size()) break;
        weir::mark const& m = marks[next_mark_++];
        if (m.kind == mark_kind::stop) ended_early_ = true;
        more = link<0>{this, x}.mark(m);
        if constexpr (is_watched)
          if (m.kind == mark_kind::restore) watched_.went_on();
        if constexpr (may_hold) label(labelled, x - begin_, false);
      }
    } catch (...) {
      if constexpr (may_hold) label(labelled, x - begin_, true);
      in.cursor = x;  // the one that failed is not done
      throw;
    }
    in.cursor = x;
    if (!more) note_over();
  }
  // The first stage that sees the source's elements and would know what they need; sizeof...(Stages): there is none.
  template <std::size_t I = 0> static constexpr std::size_t foreseeing() {
    if constexpr (I != sizeof...(Stages)) {
      using stage = std::tuple_element_t<I, std::tuple<Stages...>>;
      if constexpr (!foreseeing_stage<stage, Source>) return hands_on_as_is<stage> ? foreseeing<I + 1>() : sizeof...(Stages);
    }
    return I;
  }
  bool looks_ahead() const {
    if constexpr (foreseeing() != sizeof...(Stages)) return std::get<foreseeing()>(stages_).looks_ahead();
    else return false;
  }
  // As far ahead as a fetch from memory takes, twice: what is fetched second is found by what is fetched first.
  [[gnu::always_inline]] void foresee(Source const* x, Source const* end) const {
    if constexpr (foreseeing() != sizeof...(Stages)) {
      auto const& s = std::get<foreseeing()>(stages_);
      if (end - x > 16) s.foresee(x[16]);
      if (end - x > 8) s.foresee_soon(x[8]);
    }
  }
  // In a chain that holds inputs back, what came out since the last look stands for `done` inputs only where no stage keeps a part of
  // them; else for what was claimed before. An output's origin is one less than its claim.
  void label(std::uint32_t& from, std::ptrdiff_t done, bool failed) noexcept {
    if (from == out_.size()) return;
    if (!failed && !keeps_something()) claim_ = static_cast<std::uint32_t>(done);
    for (; from != out_.size(); ++from) out_.set_origin(from, claim_ - 1);
  }
  bool keeps_something() const noexcept {
    return std::apply([](auto const&... s) { return (keeps(s) || ...); }, stages_);
  }
  template <class S> static bool keeps(S const& s) noexcept {
    if constexpr (!holding_stage<S>) return false;
    else if constexpr (requires { s.holds(); }) return s.holds();
    else return true;
  }
  // `more == false` is either a full buffer or a stage that wants no more.
  void note_over() noexcept {
    if (std::apply([](auto&... s) { return (is_over(s) || ...); }, stages_)) stopped_ = true;
  }
  template <class S> static bool is_over(S& s) noexcept {
    if constexpr (requires { s.over(); }) return s.over();
    else return false;
  }

  // How much of the source's chunk is done, see producer::settled.
  std::ptrdiff_t settled_here(bool including) const noexcept {
    if constexpr (has_state) {
      return base::unknown;
    } else {
      std::size_t const n = out_.size();
      std::ptrdiff_t const taken = this->settled(out_.data(), including);
      if (taken == base::unknown) return base::unknown;
      auto k = n == 0 ? 0 : static_cast<std::size_t>(std::max<std::ptrdiff_t>(taken, 0));
      bool const held = holds();
      Source const* const at = source_.source().cursor;
      if (k == n && !held && at) return at - begin_;  // also what came after the last output and gave none
      if (k != n) {
        if (!held) return out_.origin(k);
        while (k != 0 && out_.origin(k - 1) == out_.origin(k)) --k;  // an input is done when all it gave is
      }
      return k == 0 ? floor_ : claim_of(k - 1);
    }
  }
  std::ptrdiff_t claim_of(std::size_t output) const noexcept {
    return static_cast<std::ptrdiff_t>(static_cast<std::uint32_t>(out_.origin(output) + 1));
  }
  static std::ptrdiff_t settled_from(void const* self, bool including) noexcept {
    return static_cast<fused_producer const*>(self)->settled_here(including);
  }
  // Whether an input that gave nothing may still be kept, here or in the chain behind.
  bool holds() const noexcept { return may_hold || this->held_behind(); }
  static bool holds_from(void const* self) noexcept { return static_cast<fused_producer const*>(self)->holds(); }
  static constexpr auto element_entry() noexcept -> bool (*)(void*, Source&) noexcept {
    if constexpr (FromTimed) return nullptr;
    else return &fused_producer::on_element;
  }
  static constexpr push_consumer<Source> pushed{&fused_producer::on_chunk, element_entry(), &fused_producer::on_pause,
                                                &fused_producer::settled_from, &fused_producer::holds_from};

  stream<Source> source_;
  struct no_line {};
  struct no_memory {};
  struct no_watch {};
  [[no_unique_address]] std::conditional_t<has_state, checkpoint_line, no_line> line_;
  std::array<bool, has_state ? sizeof...(Stages) : 0> told_{};  // their schemas, to checkpoints
  std::tuple<Stages...> stages_;
  [[no_unique_address]] std::conditional_t<has_memory, std::array<memory_account::entry, sizeof...(Stages)>, no_memory> memory_;
  [[no_unique_address]] std::conditional_t<is_watched, watched_operators::entry, no_watch> watched_;  // before the stages go
  out_buffer<element_type> out_;
  std::vector<instant> out_times_;
  std::vector<weir::mark> out_marks_;
  chunk_extras out_extras_;
  Source* begin_ = nullptr;    // of the source's chunk
  std::size_t next_mark_ = 0;  // how far its marks are done
  std::ptrdiff_t floor_ = 0;   // of its elements, done for certain whatever the output's consumer does
  unsigned uncounted_ = 0;     // elements that came without a chunk
  std::uint32_t claim_ = 0;    // what the last output stands for, where stages hold inputs back
  bool entered_ = false, stopped_ = false, ended_early_ = false, has_extras_ = false;
  std::exception_ptr failed_;
};

}  // namespace weir::detail
