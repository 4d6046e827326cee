#pragma once
#include <weir/stream.hpp>

namespace weir::detail {

// What `co_yield` awaits in a generator.
template <class T> class generator_promise final : public producer<T>, public mark_carrier, public pooled {
  using self = std::coroutine_handle<generator_promise>;

  // One element that lies in the generator's frame until it is resumed. It is shown, or pushed on, before this is awaited, so that
  // there is next to nothing in the frame.
  class one {
  public:
    enum class way : unsigned char { straight, taken, around };
    explicit one(way w) noexcept : way_(w) {}
    bool await_ready() const noexcept { return way_ == way::taken; }
    std::coroutine_handle<> await_suspend(self h) const noexcept {
      generator_promise& p = h.promise();
      if (way_ == way::straight) [[likely]]
        return transfer(std::coroutine_handle<>::from_address(p.consumer()));
      return transfer(p.cursor == p.end ? p.push()->on_pause(p.consumer()) : p.deliver());
    }
    void await_resume() const noexcept {}

  private:
    way way_;
  };

  // The same for an lvalue: the consumer gets a copy it may change.
  class copied {
  public:
    copied(generator_promise& p, T const& v) : value_(v), one_(p.offer(std::addressof(value_))) {}
    copied(copied const&) = delete;
    copied& operator=(copied const&) = delete;
    bool await_ready() const noexcept { return one_.await_ready(); }
    std::coroutine_handle<> await_suspend(self h) const noexcept { return one_.await_suspend(h); }
    void await_resume() const noexcept {}

  private:
    T value_;
    one one_;
  };

  class many {
  public:
    many(generator_promise& p, chunk<T> c) noexcept : p_(&p), chunk_(c) {}
    bool await_ready() const noexcept {
      chunk_extras const* const own = chunk_.times || !chunk_.marks.empty() ? &chunk_ : nullptr;
      p_->show(chunk_.elements.data(), chunk_.elements.data() + chunk_.elements.size(), p_->with_carried(own));
      if (!chunk_.elements.empty() && p_->extras) p_->arrive();
      if (!chunk_.elements.empty() || (p_->wants_marks && p_->extras)) return false;
      p_->acknowledge();  // nothing in it for this consumer, and all before it is done: go on
      return true;
    }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return transfer(p_->deliver()); }
    void await_resume() const noexcept { p_->extras = nullptr; }

  private:
    generator_promise* p_;
    chunk<T> chunk_;
  };

  class marked {
  public:
    marked(generator_promise& p, mark m) noexcept : mark_(m), many_(p, chunk<T>({}, nullptr, std::span<mark const>(&mark_, 1))) {
      mark_.at = 0;
    }
    marked(marked const&) = delete;
    marked& operator=(marked const&) = delete;
    bool await_ready() const noexcept { return many_.await_ready(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) const noexcept { return many_.await_suspend(h); }
    void await_resume() const noexcept { many_.await_resume(); }

  private:
    mark mark_;
    many many_;
  };

  class finished {
  public:
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(self h) const noexcept { return transfer(h.promise().deliver()); }
    void await_resume() const noexcept {}
  };

public:
  generator_promise() = default;
  // The coroutine's arguments. Later, when it has moved the streams among them into locals, nobody could ask them.
  template <class... A>
    requires(sizeof...(A) != 0)
  explicit generator_promise(A const&... arguments) {
    (detail::add_lineage(arguments, lineage_), ...);
  }
  stream<T> get_return_object() noexcept {
    this->coroutine_ = self::from_promise(*this);
    return stream<T>(this);
  }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  finished final_suspend() noexcept {
    this->show(nullptr, nullptr, with_carried(nullptr));
    if (!this->wants_marks) this->acknowledge();
    this->end_here();
    explained_by_ = nullptr;  // it was one of the locals
    return finished();
  }
  void unhandled_exception() noexcept { this->error = std::current_exception(); }
  void return_void() const noexcept {}

  one yield_value(T&& v) noexcept { return offer(std::addressof(v)); }
  copied yield_value(T const& v) { return copied(*this, v); }
  many yield_value(std::span<T> s) noexcept { return many(*this, chunk<T>(s)); }
  many yield_value(chunk<T> c) noexcept { return many(*this, c); }
  marked yield_value(mark m) noexcept { return marked(*this, m); }

  void dispose() noexcept override { self::from_promise(*this).destroy(); }
  void explain(explanation& e) const override {
    if (explained_by_) explained_by_->explain(e);
  }
  void explained_by(explainer const* who) noexcept { explained_by_ = who; }
  void add_lineage(lineage& l) const override { l.add(lineage_); }

private:
  std::coroutine_handle<> produce() noexcept override { return {}; }

  one offer(T* x) noexcept {
    push_consumer<T> const* const push = this->push();
    if (this->carrying) [[unlikely]] {
      this->show(x, x + 1, with_carried(nullptr));
      if (!this->wants_marks) this->acknowledge();
    } else if (!push) {
      this->show(x, x + 1);
      return one(one::way::straight);
    } else if (push->on_element) {
      return one(push->on_element(this->consumer(), *x) ? one::way::taken : one::way::around);
    } else {
      this->show(x, x + 1);
    }
    return one(one::way::around);
  }

  // What the generator pulled past goes before what it yields.
  chunk_extras const* with_carried(chunk_extras const* own) noexcept {
    if (!this->carrying) [[likely]]
      return own;
    this->carrying = false;
    merged_.clear();
    merged_.swap(this->carried);
    for (mark& m : merged_) m.at = 0;
    if (own) merged_.insert(merged_.end(), own->marks.begin(), own->marks.end());
    merged_extras_ = chunk_extras(own ? own->times : nullptr, merged_);
    return &merged_extras_;
  }
  std::vector<mark> merged_;
  chunk_extras merged_extras_;
  explainer const* explained_by_ = nullptr;
  lineage lineage_;
};

// `co_await explained_by<T>(x);` in a generator: x answers for it as long as it lives.
template <class T> class explained_by {
public:
  explicit explained_by(explainer const& who) noexcept : who_(&who) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<generator_promise<T>> h) const noexcept {
    h.promise().explained_by(who_);
    return false;
  }
  void await_resume() const noexcept {}

private:
  explainer const* who_;
};

// `producer<T>& me = co_await this_producer<T>();` in a generator.
template <class T> class this_producer {
public:
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<generator_promise<T>> h) noexcept {
    producer_ = &h.promise();
    return false;
  }
  producer<T>& await_resume() const noexcept { return *producer_; }

private:
  producer<T>* producer_ = nullptr;
};

}  // namespace weir::detail
