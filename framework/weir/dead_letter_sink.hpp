#pragma once
#include <weir/dead_letter.hpp>
#include <weir/store_write.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace weir {

/// Where dead letters go: implement it over anything, or give `failure_policy::dead_letter_to` a function or a transactional sink.
/// Strand only; one sink may serve all partitions.
class dead_letter_sink {
public:
  dead_letter_sink() = default;
  dead_letter_sink(dead_letter_sink const&) = delete;
  dead_letter_sink& operator=(dead_letter_sink const&) = delete;
  virtual ~dead_letter_sink() = default;
  /// Takes a letter. Either it is durable when this returns null: then it comes again after a crash before the next commit, at least once
  /// in all. Or what this returns makes it so, in the transaction of the commit that passes the record: exactly once. What it throws
  /// halts the partition, before the record.
  virtual task<std::shared_ptr<store_write>> take(dead_letter letter) = 0;
};

/// A sink whose rows become a part of a commit, for dead letters: `memory_table<dead_letter>`, `sqlite::dead_letter_table(store)`.
template <class S>
concept transactional_letter_sink = std::same_as<typename S::row_type, dead_letter> && requires(S const& s, std::vector<dead_letter> rows) {
  { s.write(std::move(rows)) } -> std::same_as<std::shared_ptr<store_write>>;
};

namespace detail {

template <class S> class letters_with_commit final : public dead_letter_sink {
public:
  explicit letters_with_commit(S s) : sink_(std::move(s)) {}
  task<std::shared_ptr<store_write>> take(dead_letter letter) override {
    std::vector<dead_letter> rows;
    rows.push_back(std::move(letter));
    co_return sink_.write(std::move(rows));
  }

private:
  S sink_;
};

class letters_to_function final : public dead_letter_sink {
public:
  explicit letters_to_function(std::function<task<>(dead_letter)> f) : function_(std::move(f)) {}
  task<std::shared_ptr<store_write>> take(dead_letter letter) override;

private:
  std::function<task<>(dead_letter)> function_;
};

}  // namespace detail
}  // namespace weir
