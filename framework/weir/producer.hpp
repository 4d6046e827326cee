#pragma once
#include <weir/chunk.hpp>
#include <weir/context.hpp>
#include <weir/detail/lineage.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace weir {

class explanation;

namespace detail {
// A generator that pulls with next() does not see marks; they wait here until it yields or ends, and so keep their place.
struct mark_carrier {
  std::vector<mark> carried;
  bool carrying = false;  // that there are any; the one thing a yield looks at
};
}  // namespace detail

/// An operator that is pushed to, in place of a coroutine that waits: a fused chain of stages. It runs inside the producer's
/// hand-over and says where control goes from there.
template <class T> struct push_consumer {
  /// A chunk (or the end) is shown. Returns whom to resume.
  std::coroutine_handle<> (*on_chunk)(void* self) noexcept;
  /// One element, without a chunk. True: nobody waits for it, go on. False: suspend and resume `on_pause`. May be null.
  bool (*on_element)(void* self, T& x) noexcept;
  std::coroutine_handle<> (*on_pause)(void* self) noexcept;
  /// See producer::settled.
  std::ptrdiff_t (*settled)(void const* self, bool including) noexcept;
  /// Whether it may keep elements back that it was given.
  bool (*holds)(void const* self) noexcept;
};

/// What a stream points to: a generator's promise, a range, a fused chain. Between two pulls it shows one chunk.
///
/// For authors of operators; users see `stream<T>`. One consumer, which attaches itself on every pull: it may be another one each time.
template <class T> class producer : public detail::promise_base {
public:
  static constexpr std::ptrdiff_t unknown = std::numeric_limits<std::ptrdiff_t>::min();

  producer() = default;
  producer(producer const&) = delete;
  producer& operator=(producer const&) = delete;
  virtual void dispose() noexcept = 0;
  /// Adds what is known here and further up about time that does not pass, see `explanation`.
  virtual void explain(explanation&) const {}
  /// Adds the splits of which this is a branch.
  virtual void add_lineage(detail::lineage&) const {}

  /// A coroutine takes the next chunk (`marks`: it looks at them; `carrier`: it is a generator), or a fused chain does.
  void attach(context* c, void* consumer, push_consumer<T> const* push, bool marks, detail::mark_carrier* carrier) noexcept {
    ctx = c;
    consumer_ = consumer;
    push_ = push;
    wants_marks = marks;
    carrier_ = carrier;
    express_ = push || marks || extras || done || !coroutine_ ? nullptr : consumer;
  }
  /// The common case in one look: this coroutine, attached under this context, sees elements only, and a generator can be resumed.
  bool express_to(void* consumer, context const* c) const noexcept { return express_ == consumer && ctx == c; }
  std::coroutine_handle<> generator() const noexcept { return coroutine_; }
  /// The consumer is going away; of the current chunk this much is done, without and with the element it looked at last. `held`: it may
  /// have kept something back.
  void detach(std::ptrdiff_t settled, std::ptrdiff_t including, bool held) noexcept {
    push_ = held ? &gone_holding : &gone;
    express_ = nullptr;
    consumer_ = this;
    settled_at_end_[0] = settled;
    settled_at_end_[1] = including;
  }
  bool attached_to(context* c, void* consumer) const noexcept { return consumer_ == consumer && ctx == c; }

  /// Starts producing. Returns the coroutine to run, or null when the chunk (or the end) is already shown.
  std::coroutine_handle<> pull() noexcept {
    if (std::coroutine_handle<> const h = coroutine_) [[likely]]
      return done ? std::coroutine_handle<>{} : h;
    return produce();
  }
  std::coroutine_handle<> deliver() noexcept {
    return push_ ? push_->on_chunk(consumer_) : std::coroutine_handle<>::from_address(consumer_);
  }
  push_consumer<T> const* push() const noexcept { return push_; }
  void* consumer() const noexcept { return consumer_; }

  void show(T* from, T* last) noexcept {
    first = cursor = from;
    end = last;
  }
  void show(T* from, T* last, chunk_extras const* e) noexcept {
    show(from, last);
    extras = e;
    if (e) express_ = nullptr;
  }
  /// There will be no more chunks.
  void end_here() noexcept {
    done = true;
    express_ = nullptr;
  }
  std::span<mark const> marks() const noexcept { return extras ? extras->marks : std::span<mark const>(); }

  /// A consumer is shown a chunk, so it has asked for what comes behind the marks in front of it.
  void arrive() noexcept {
    if (wants_marks || carrier_) return;
    for (mark const& m : marks()) {
      if (m.at != 0) return;
      if (m.kind == mark_kind::barrier) m.cut->arrive();
    }
  }
  /// A consumer that does not look at marks has asked for more: what came before the ones here is done.
  void acknowledge() noexcept {
    for (mark const& m : marks()) pass_unseen(m);
    extras = nullptr;
  }
  void pass_unseen(mark const& m) noexcept {
    if (m.kind == mark_kind::watermark || m.kind == mark_kind::idle) return;  // a generator's elements have no time
    if (carrier_) {
      carrier_->carried.push_back(m);
      carrier_->carrying = true;
    } else if (m.kind == mark_kind::barrier) m.cut->complete();
  }
  /// Ends the stream with a failure, to be thrown by the pull under way.
  void fail(std::exception_ptr e) noexcept {
    show(nullptr, nullptr, nullptr);
    error = std::move(e);
    end_here();
  }
  /// After a pull: the element, or null at the end.
  T* take() {
    if (cursor != end) [[likely]]
      return cursor++;
    if (error) [[unlikely]]
      std::rethrow_exception(std::exchange(error, {}));
    return nullptr;
  }

  /// How many elements of the current chunk, which starts at `begin`, are completely done, whatever fused stages stand between here
  /// and the one who waits; `including` counts the one it looks at. `unknown` behind a generator or an operator that runs
  /// ahead, and where state belongs to a checkpoint: there only barriers tell.
  std::ptrdiff_t settled(T const* begin, bool including) const noexcept {
    if (push_) return push_->settled(consumer_, including);
    if (wants_marks || carrier_) return unknown;
    std::ptrdiff_t const taken = cursor ? cursor - begin : 0;
    return including || taken == 0 ? taken : taken - 1;
  }

  /// Whether a fused chain behind here may keep elements back.
  bool held_behind() const noexcept { return push_ && push_->holds(consumer_); }

  T *first = nullptr, *cursor = nullptr, *end = nullptr;
  chunk_extras const* extras = nullptr;
  bool done = false, wants_marks = false;
  std::exception_ptr error;

protected:
  ~producer() = default;
  std::coroutine_handle<> coroutine_;  // set by generators: no virtual call on their way

private:
  virtual std::coroutine_handle<> produce() noexcept = 0;
  static std::coroutine_handle<> no_one(void*) noexcept { return std::noop_coroutine(); }
  static std::ptrdiff_t settled_when_gone(void const* self, bool including) noexcept {
    return static_cast<producer const*>(self)->settled_at_end_[including];
  }
  static bool held_nothing(void const*) noexcept { return false; }
  static bool held_some(void const*) noexcept { return true; }
  static constexpr push_consumer<T> gone{&producer::no_one, nullptr, &producer::no_one, &producer::settled_when_gone,
                                         &producer::held_nothing};
  static constexpr push_consumer<T> gone_holding{&producer::no_one, nullptr, &producer::no_one, &producer::settled_when_gone,
                                                 &producer::held_some};

  void* consumer_ = nullptr;
  push_consumer<T> const* push_ = nullptr;
  detail::mark_carrier* carrier_ = nullptr;
  void* express_ = nullptr;
  std::ptrdiff_t settled_at_end_[2] = {unknown, unknown};
};

}  // namespace weir
