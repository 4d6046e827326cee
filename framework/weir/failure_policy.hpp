#pragma once
#include <weir/dead_letter.hpp>
#include <weir/dead_letter_sink.hpp>
#include <weir/ledger.hpp>
#include <weir/retry_policy.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace weir {

/// What a pipeline does when its handler throws. The default: the partition halts at once, where a restart resumes.
/// ```cpp
/// pipeline.on_failure(failure_policy().retry(retry_policy().attempts(4)).dead_letter_to(sqlite::dead_letter_table(store)))
///     .use_stream(handler);
/// ```
/// The handler is run again over the stream from its frontier, as often and as late as `retry` says; what was finished is not repeated,
/// what was not comes again. A run that gets further than the one before begins a new count. Then the partition halts; or, where there
/// is a sink for dead letters, the record that fails goes there, and the pipeline goes on behind it. No record is passed in another way,
/// and the letter is durable no later than the frontier that passes it.
///
/// **Which record it is** is known for certain when an attempt had nothing but that one record. So, with dead letters, attempts behind a
/// failure get a portion of the stream, which then ends as in a drain: first one record; when that is done, half of those that may have
/// been in hand, then half of the rest, and half again of a portion that fails, until one record fails alone or all are done. It makes no
/// difference what the handler looks like: operators keep their state in the checkpoints between portions, as over a restart; operators
/// that run ahead have nothing else to run to; a batch or a window of a count is closed by the end of a portion. Where operators keep
/// records back even then (`partition_by`), none can be tried alone, and the partition halts. It costs a reopening of the source and of
/// the state per portion, some 2 log2(n) of them for n records in doubt. A record in hand is blamed for whatever the handler throws, so a
/// record that closes a window is blamed for a result of the window that cannot be written.
///
/// **What is never blamed on a record**: the source, a store that fails, a handler that fails with no record in hand (at its
/// start, at the end of the data), cancellation, loss of the partition (`condition::fenced`). These are retried, and then halt. But rows
/// of a transactional sink which the store refuses (`errc::rejected`, `out_of_range`, `too_large`, `malformed`) are the record's: the
/// commit is taken back and the record found that made them.
///
/// Setters return a changed copy and throw `errc::invalid_option` for values out of range. Thread-safety: as a value; sink and books are
/// shared.
class failure_policy {
public:
  /// No second attempt, no dead letters.
  failure_policy() = default;

  /// How often, and after how long, a failed handler is run again before the partition halts or the record is given up; waits on the
  /// pipeline's clock, and a drain ends the wait. Default: not at all. With dead letters the last attempt has the record alone, so
  /// that there are always two.
  [[nodiscard]] failure_policy retry(retry_policy p) const;
  /// Where records go that fail every attempt. A sink of one's own:
  [[nodiscard]] failure_policy dead_letter_to(std::shared_ptr<dead_letter_sink> sink) const;
  /// ... or one that writes with the checkpoint, made for `settings.checkpoints`: exactly once.
  template <transactional_letter_sink S> [[nodiscard]] failure_policy dead_letter_to(S sink) const {
    return dead_letter_to(std::make_shared<detail::letters_with_commit<S>>(std::move(sink)));
  }
  /// ... or a function `(dead_letter const&) -> void` or `-> task<>`, which has the letter safe when it is done: at least once.
  template <class F>
    requires std::invocable<F&, dead_letter const&>
  [[nodiscard]] failure_policy dead_letter_to(F f) const {
    auto const kept = std::make_shared<F>(std::move(f));
    auto taking = [kept](dead_letter letter) { return call(kept, std::move(letter)); };
    return dead_letter_to(std::make_shared<detail::letters_to_function>(std::move(taking)));
  }
  /// When more than so many records in a row are given up, with none done between them, it is hardly the records: the partition halts. At
  /// least 1, default 100.
  [[nodiscard]] failure_policy in_a_row(unsigned most) const;
  /// Counts the records that were given up as `in` and `dead` under `name`. The count is part of the checkpoint.
  [[nodiscard]] failure_policy counted_in(ledger books, std::string name) const;

  // For hosts.
  retry_policy const& retries() const noexcept { return retries_; }
  /// Null: halt.
  dead_letter_sink* sink() const noexcept { return sink_.get(); }
  unsigned most_in_a_row() const noexcept { return most_in_a_row_; }
  /// A tally for the partition `who`; null when nobody wants one.
  std::shared_ptr<tally> open_tally(std::string who) const;

private:
  template <class F> static task<> call(std::shared_ptr<F> f, dead_letter letter) {
    if constexpr (std::same_as<std::invoke_result_t<F&, dead_letter const&>, task<>>) {
      task<> taking = (*f)(letter);
      co_await std::move(taking);
    } else {
      static_assert(std::is_void_v<std::invoke_result_t<F&, dead_letter const&>>,
                    "weir: a function for dead letters is (dead_letter const&) -> void or (dead_letter const&) -> task<>");
      (*f)(letter);
      co_return;
    }
  }

  retry_policy retries_ = retry_policy().attempts(1);
  std::shared_ptr<dead_letter_sink> sink_;
  unsigned most_in_a_row_ = 100;
  std::optional<ledger> books_;
  std::string name_in_books_;
};

}  // namespace weir
