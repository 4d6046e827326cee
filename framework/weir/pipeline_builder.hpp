#pragma once
#include <weir/cancellation.hpp>
#include <weir/commit_policy.hpp>
#include <weir/error.hpp>
#include <weir/middleware.hpp>
#include <weir/stream.hpp>
#include <weir/stream_context.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// A handler that takes its context: `(stream<R>, stream_context&) -> task<>`.
template <class H, class R>
concept context_handler = requires(H& h, stream<R> s, stream_context& c) {
  { h(std::move(s), c) } -> std::same_as<task<>>;
};
/// A handler that needs only the essentials: `(stream<R>, cancellation) -> task<>`.
template <class H, class R>
concept plain_handler = requires(H& h, stream<R> s, cancellation c) {
  { h(std::move(s), c) } -> std::same_as<task<>>;
};

/// What happens to the elements of one source. A pipeline has one terminal stage, `use_stream`; everything is checked when it is
/// built. Every call returns the builder.
template <class R> class pipeline_builder {
public:
  using element_type = R;
  using handler = std::function<task<>(stream<R>, stream_context&)>;

  /// The pipeline's name in checkpoints, metrics and messages; by default the source's. Changing it starts from the beginning.
  pipeline_builder& name(std::string n) {
    name_ = std::move(n);
    return *this;
  }
  /// Puts `m` around what follows. Each call goes further in.
  pipeline_builder& use(middleware m) {
    if (!m)
      throw error(errc::invalid_pipeline, "pipeline: cannot be built", "use() was given an empty middleware", "pass something callable");
    middleware_.push_back(std::move(m));
    return *this;
  }
  /// How often the checkpoint is written, in place of the application's policy.
  pipeline_builder& commit(commit_policy p) {
    commit_ = p;
    return *this;
  }
  /// The terminal stage: `(stream<R>, stream_context&) -> task<>`, or `(stream<R>, cancellation) -> task<>` where the essentials
  /// do. It is called once per partition and attempt; the callable is kept, so a lambda coroutine may capture.
  ///
  /// The run ends when the handler and everything it started beside itself have ended; it must not keep the stream anywhere else.
  /// Returning normally acknowledges what it was given. Throwing leaves the frontier at the last finished record.
  template <class H> pipeline_builder& use_stream(H h) {
    static_assert(context_handler<H, R> || plain_handler<H, R>,
                  "weir: a handler is (stream<R>, stream_context&) -> task<> or (stream<R>, cancellation) -> task<>");
    if (handler_) {
      throw error(errc::invalid_pipeline, "pipeline: cannot be built", "use_stream was called twice, and a pipeline has one terminal stage",
                  "put both into one handler, or use a second stream");
    }
    auto const kept = std::make_shared<H>(std::move(h));
    if constexpr (context_handler<H, R>) handler_ = [kept](stream<R> s, stream_context& c) { return (*kept)(std::move(s), c); };
    else if constexpr (plain_handler<H, R>)
      handler_ = [kept](stream<R> s, stream_context& c) { return (*kept)(std::move(s), c.cancellation()); };
    return *this;
  }

  /// For hosts.
  std::string const& name() const noexcept { return name_; }
  handler const& terminal() const noexcept { return handler_; }
  std::vector<middleware> const& chain() const noexcept { return middleware_; }
  std::optional<commit_policy> const& commit() const noexcept { return commit_; }

private:
  std::string name_;
  handler handler_;
  std::vector<middleware> middleware_;
  std::optional<commit_policy> commit_;
};

}  // namespace weir
