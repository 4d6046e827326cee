#pragma once
#include <weir/context.hpp>
#include <weir/detail/partition_topic.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/producer.hpp>

#include <concepts>
#include <coroutine>
#include <memory>

namespace weir::detail {

// `co_await context.send(topic, value)`.
template <class T> class sending {
public:
  sending(partition_topic_of<T>& to, T const& value) noexcept : to_(&to), value_(std::addressof(value)), room_(to.room()) {}
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) {
    static_assert(!std::derived_from<P, mark_carrier>,
                  "weir: a generator runs ahead of checkpoints; yield what is to be sent, and send it in the handler");
    by_ = h.promise().ctx;
    return to_->full() && room_.begin(*by_, h);
  }
  void await_resume() const {
    room_.await_resume();
    to_->send(*by_, *value_);
  }

private:
  partition_topic_of<T>* to_;
  T const* value_;
  wait_list::waiting room_;
  context* by_ = nullptr;
};

}  // namespace weir::detail
