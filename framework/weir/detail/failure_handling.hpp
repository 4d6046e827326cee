#pragma once
#include <weir/detail/progress.hpp>
#include <weir/error.hpp>
#include <weir/failure_policy.hpp>
#include <weir/ledger.hpp>
#include <weir/position.hpp>
#include <weir/stream_context.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace weir::detail {

// What becomes of one partition's failures, by the policy of its pipeline: how much of the stream the next attempt is handed out, when it
// begins, and which record is given up. `failure_policy` tells how a record is found; `window_` is how many may still be the one.
class failure_handling {
public:
  failure_handling(failure_policy const& policy, progress& p, stream_context& about);

  // Brings the books to what the checkpoint says.
  void count() noexcept;
  // An attempt has ended well. True: there is more, it only had a portion.
  bool goes_on() noexcept;
  // An attempt has failed. Returns when the next may begin; throws where the partition has to halt. What was done is committed.
  task<> after(std::exception_ptr failure);

private:
  bool blames_record(std::exception_ptr const& failure, bool store_failed) const noexcept;
  std::uint64_t in_doubt() noexcept;
  void note_frontier() noexcept;
  void next_portion(std::uint64_t done) noexcept;
  bool narrow() noexcept;
  task<bool> wait(std::chrono::nanoseconds delay, std::exception_ptr const& failure);
  task<> give_up(std::exception_ptr failure);
  dead_letter letter(std::exception_ptr const& failure) const;
  error located(error e) const;
  std::string where() const;

  failure_policy const& policy_;
  progress& progress_;
  stream_context& about_;
  std::shared_ptr<tally> tally_;
  std::optional<position> reached_;
  bool moved_ = false;           // the frontier, in the attempt that has failed
  unsigned failed_ = 0;          // attempts since it moved last
  unsigned in_a_row_ = 0;        // dead letters, likewise
  std::uint64_t window_ = 0;     // while there is a limit
  std::uint64_t held_back_ = 0;  // so many records are not finished without more, from where the frontier is
};

}  // namespace weir::detail
