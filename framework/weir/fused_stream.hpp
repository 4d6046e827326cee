#pragma once
#include <weir/detail/out_buffer.hpp>
#include <weir/stage.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <vector>

namespace weir {

/// `source | stage | stage`: one type, whose loop runs the stages over the elements of a chunk without a coroutine. When the source has
/// a chunk the stages run inside its hand-over, and control goes straight on to the consumer, or back to the source.
///
/// Pulled like a stream (`next()`), converts to `stream<T>` (type-erased, one allocation) at function boundaries, may be moved
/// between pulls. A failure in a stage ends the chain: what came before is delivered, then it is thrown by `next()`.
/// A chain that ends in `for_each` is awaited itself: `co_await all;`.
///
/// Build it in a statement of its own and await it in the next: g++ 12 destroys a closure twice that is created in an expression with
/// `co_await`.
template <class Shape, bool FromTimed, class Source, class... Stages>
class [[nodiscard("a stream does nothing until it is pulled")]] fused_stream final : public producer<typename Shape::element>,
                                                                                     public detail::pooled {
public:
  using element_type = typename Shape::element;
  using value_type = element_type;
  using shape_type = Shape;
  static constexpr bool timed = Shape::has_time;

  fused_stream(stream<Source> s, Shape shape, std::tuple<Stages...> stages)
      : source_(std::move(s)), shape_(std::move(shape)), stages_(std::move(stages)) {}
  // NOLINTBEGIN(bugprone-use-after-move): the base takes its own part only
  fused_stream(fused_stream&& o) noexcept
      : producer<element_type>(std::move(o)),
        source_(std::move(o.source_)),
        shape_(std::move(o.shape_)),
        stages_(std::move(o.stages_)),
        out_(std::move(o.out_)),
        out_times_(std::move(o.out_times_)),
        out_marks_(std::move(o.out_marks_)),
        begin_(o.begin_),
        next_mark_(o.next_mark_),
        floor_(o.floor_),
        claim_(o.claim_),
        stopped_(o.stopped_),
        ended_early_(o.ended_early_),
        has_extras_(o.has_extras_),
        failed_(std::move(o.failed_)) {
    if (this->extras) {
      out_extras_ = chunk_extras(out_times_.data(), out_marks_);
      this->extras = &out_extras_;
    }
    if (source_) source_.source().consumer_moved(&o, this);
  }
  // NOLINTEND(bugprone-use-after-move)
  fused_stream& operator=(fused_stream&&) = delete;
  ~fused_stream() {
    if (source_) source_.source().detach(settled_here(false), settled_here(true), holds());
  }

  detail::next_awaiter<element_type, fused_stream> next() noexcept { return detail::next_awaiter<element_type, fused_stream>(*this); }
  auto operator co_await() & noexcept
    requires std::is_same_v<element_type, nothing>
  {
    return next();
  }
  std::coroutine_handle<> pull() noexcept { return produce(); }
  void dispose() noexcept override { delete this; }

  /// Why time does not pass here, and what waits for it. On the strand, between or during pulls.
  explanation explain() const {
    explanation e;
    explain(e);
    return e;
  }
  void explain(explanation& e) const override {
    if (source_) source_.source().explain(e);
    std::apply([&e](auto const&... s) { (explain_stage(s, e), ...); }, stages_);
  }

  /// Type erasure, for function boundaries.
  operator stream<element_type>() && { return stream<element_type>(new fused_stream(std::move(*this))); }
  operator timed_stream<element_type>() && requires(timed) { return timed_stream<element_type>(new fused_stream(std::move(*this))); }

      /// For authors of operators: what flows here, and the chain with one stage more.
      Shape const& shape() const noexcept {
    return shape_;
  }
  template <class NewShape, class... New> auto with(NewShape shape, New... stage) && {
    return fused_stream<NewShape, FromTimed, Source, Stages..., New...>(
        std::move(source_), std::move(shape), std::tuple_cat(std::move(stages_), std::tuple<New...>(std::move(stage)...)));
  }

  /// The chain with one stage more that changes nothing about what flows.
  template <class New> auto then(New stage) && {
    Shape same = shape_;
    return std::move(*this).with(std::move(same), std::move(stage));
  }

private:
  using base = producer<element_type>;
  using input_time = std::conditional_t<FromTimed, timestamp, untimed>;
  static constexpr bool has_state = (stateful_stage<Stages> || ...);
  static constexpr bool may_hold = (detail::holding_stage<Stages> || ...);

  // The way down from stage I - 1: two pointers in registers, so that handing on costs nothing.
  template <std::size_t I> struct link {
    fused_stream* chain;
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
        if constexpr (stateful_stage<std::decay_t<decltype(s)>>) {
          if (m.kind == mark_kind::barrier) s.save(m.cut->state().add());
          else if (m.kind == mark_kind::restore) s.restore(m.state->take());
        }
        return s.mark(m, link<I + 1>{chain, origin});
      }
    }
    bool finish() const {
      if constexpr (I == sizeof...(Stages)) return true;
      else return std::get<I>(chain->stages_).finish(link<I + 1>{chain, origin});
    }
  };

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
    for (;;) {
      if (stopped_) {
        (void)publish();
        return {};
      }
      if (in.cursor == in.end && next_mark_ == in.marks().size()) {
        if (this->ctx->cancelled()) [[unlikely]] {
          give_up(detail::cancelled_error());
          continue;
        }
        next_mark_ = 0;
        if (in.cursor && !holds()) floor_ = in.cursor - begin_;
        in.show(nullptr, nullptr, nullptr);
        if (!in.attached_to(this->ctx, this)) {
          in.attach(this->ctx, this, &pushed, true, nullptr);
          std::apply([this](auto&... s) { (enter(s, *this->ctx), ...); }, stages_);
        }
        if (std::coroutine_handle<> const h = in.pull()) return h;
        begin_chunk(in);
      }
      run(in);
      if (publish()) return {};
    }
  }
  template <class S> static void enter(S& s, context& c) noexcept {
    if constexpr (requires { s.enter(c); }) s.enter(c);
  }
  template <class S> static void explain_stage(S const& s, explanation& e) {
    if constexpr (requires { s.explain(e); }) s.explain(e);
  }
  void begin_chunk(producer<Source>& in) noexcept {
    begin_ = in.cursor;
    floor_ = 0;
    claim_ = 0;
  }
  static std::coroutine_handle<> on_chunk(void* self) noexcept {
    auto& c = *static_cast<fused_stream*>(self);
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
    auto& c = *static_cast<fused_stream*>(self);
    if (c.ctx->cancelled()) [[unlikely]] {
      c.give_up(detail::cancelled_error());
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
    } catch (...) {
      if constexpr (may_hold) c.label(labelled, 0, true);
      c.give_up(std::current_exception());
      return false;
    }
    c.note_over();
    return c.out_.size() == 0 && !c.stopped_;
  }
  static std::coroutine_handle<> on_pause(void* self) noexcept {
    auto& c = *static_cast<fused_stream*>(self);
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
    try {
      while (more) {
        Source* const stop = next_mark_ == marks.size() ? in.end : begin_ + marks[next_mark_].at;
        for (; x != stop && more; ++x) {
          if constexpr (FromTimed) more = link<0>{this, x}.element(*x, timestamp{in.extras->times[x - begin_]});
          else more = link<0>{this, x}.element(*x, untimed{});
          if constexpr (may_hold) label(labelled, x + 1 - begin_, false);
        }
        if (!more || next_mark_ == marks.size()) break;
        weir::mark const& m = marks[next_mark_++];
        if (m.kind == mark_kind::stop) ended_early_ = true;
        more = link<0>{this, x}.mark(m);
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
    if constexpr (!detail::holding_stage<S>) return false;
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
    return static_cast<fused_stream const*>(self)->settled_here(including);
  }
  // Whether an input that gave nothing may still be kept, here or in the chain behind.
  bool holds() const noexcept { return may_hold || this->held_behind(); }
  static bool holds_from(void const* self) noexcept { return static_cast<fused_stream const*>(self)->holds(); }
  static constexpr auto element_entry() noexcept -> bool (*)(void*, Source&) noexcept {
    if constexpr (FromTimed) return nullptr;
    else return &fused_stream::on_element;
  }
  static constexpr push_consumer<Source> pushed{&fused_stream::on_chunk, element_entry(), &fused_stream::on_pause,
                                                &fused_stream::settled_from, &fused_stream::holds_from};

  stream<Source> source_;
  [[no_unique_address]] Shape shape_;
  std::tuple<Stages...> stages_;
  detail::out_buffer<element_type> out_;
  std::vector<instant> out_times_;
  std::vector<weir::mark> out_marks_;
  chunk_extras out_extras_;
  Source* begin_ = nullptr;    // of the source's chunk
  std::size_t next_mark_ = 0;  // how far its marks are done
  std::ptrdiff_t floor_ = 0;   // of its elements, done for certain whatever the output's consumer does
  std::uint32_t claim_ = 0;    // what the last output stands for, where stages hold inputs back
  bool stopped_ = false, ended_early_ = false, has_extras_ = false;
  std::exception_ptr failed_;
};

namespace detail {
template <class T> auto as_chain(stream<T>&& s) { return fused_stream<plain<T>, false, T>(std::move(s), {}, {}); }
template <class T> auto as_chain(timed_stream<T>&& s) { return fused_stream<timed<T>, true, T>(std::move(s), {}, {}); }
template <class Shape, bool B, class S, class... G> auto as_chain(fused_stream<Shape, B, S, G...>&& p) { return std::move(p); }
template <class D>
concept described = operator_description<std::remove_cvref_t<D>>;
}  // namespace detail

/// What can stand before `|`.
template <class S>
concept stream_like = requires(std::remove_cvref_t<S>&& s) { detail::as_chain(std::move(s)); };

template <stream_like S, operator_description D> auto operator|(S&& s, D d) {
  static_assert(!std::is_lvalue_reference_v<S>, "weir: a stream has one consumer; write std::move(stream) | ...");
  if constexpr (std::is_lvalue_reference_v<S>) return detail::rejected{};
  else return std::move(d).append(detail::as_chain(std::forward<S>(s)));
}

}  // namespace weir
