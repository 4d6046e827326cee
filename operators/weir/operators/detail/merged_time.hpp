#pragma once
#include <weir/chunk.hpp>
#include <weir/clock.hpp>
#include <weir/explanation.hpp>
#include <weir/instant.hpp>
#include <weir/mark.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weir::detail {

enum class merge_kind : std::uint8_t { plain, timed };

// What the inputs of a merge have said about time, and what follows for the whole: its marks, and why they are not others.
//
// The watermark is the lowest of the inputs that hold it; it never goes back. An input that has ended does not hold it, nor one that is
// idle, unless it has elements waiting: then it is back-pressured. One that was stopped does: its data goes on without us. When no
// input holds it, the watermark is where the furthest one came, so the order in which they become idle makes no difference; when all have
// ended, it is the end of time.
class merged_time {
public:
  merged_time(merge_kind kind, std::size_t inputs, weir::clock const& c) : kind_(kind), clock_(&c), inputs_(inputs) {}

  // Marks that say something about time and nothing else. Without elements they need not wait for their turn.
  static bool about_time(std::span<mark const> marks) noexcept;
  // Such marks of an input.
  void take_in(std::size_t input, std::span<mark const> marks) noexcept;
  // An input's chunk waits for its turn.
  void waits(std::size_t input, bool with_elements) noexcept;
  // It has its turn: the marks that go with its elements in place of its own. Good until the next call.
  std::vector<mark>& hand_on(std::size_t input, std::size_t elements, std::span<mark const> marks);
  // The consumer is done with it, and more is asked for.
  void asked(std::size_t input) noexcept;
  // No more will come.
  void ended(std::size_t input) noexcept;

  // There are marks to hand on without a chunk; which.
  bool due() const noexcept;
  std::span<mark const> settle();
  bool stopped() const noexcept;

  // Adds what is known about an input to what its source knows.
  void explain(std::size_t input, explanation of_source, explanation& e) const;

private:
  enum class turn : std::uint8_t { asked, waits, handed_on };
  struct input {
    instant watermark = start_of_time;  // before its end
    bool ended = false, stopped = false, idle = false;
    bool has_elements = false;  // which wait
    bool told = false;          // its schema, to a checkpoint
    turn at = turn::asked;
    instant since = start_of_time;  // ... or that it ended
    std::chrono::nanoseconds quiet{};
    instant quiet_since = start_of_time;
    bool holds() const noexcept { return !ended && (!idle || has_elements); }
  };

  instant now() const noexcept { return kind_ == merge_kind::timed ? clock_->now() : 0; }
  void rest(input& in, std::chrono::nanoseconds quiet) noexcept;
  void stop(input& in) noexcept;
  void advance(input& in, instant to) noexcept;
  std::optional<instant> lowest_but(input const* one) const noexcept;
  instant allowed() const noexcept;
  bool all_idle() const noexcept;
  void rise(instant to, std::uint32_t at);
  void settle_at(std::uint32_t at);
  void save(input& in, barrier& cut) const;
  void restore(input& in, restored_state& state);
  void explain_state(input const& in, partition_time& p) const;

  merge_kind kind_;
  weir::clock const* clock_;
  std::vector<input> inputs_;
  instant watermark_ = start_of_time;
  bool stirred_ = true;  // something was said or has ended that is not settled
  bool idle_news_ = false;
  std::vector<mark> out_;
};

}  // namespace weir::detail
