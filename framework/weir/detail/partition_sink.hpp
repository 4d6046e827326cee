#pragma once
#include <weir/barrier.hpp>
#include <weir/context.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/guarantee.hpp>
#include <weir/position.hpp>
#include <weir/sink_write.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

class progress;

// A sink while one partition of its pipeline runs: what the handler has written by hand and no commit has yet, in order. The first rows are
// of records that are done, the others of records that may not be.
class partition_sink {
public:
  partition_sink(progress const& p, std::string name, guarantee promises) : progress_(p), name_(std::move(name)), promises_(promises) {}
  partition_sink(partition_sink const&) = delete;
  partition_sink& operator=(partition_sink const&) = delete;
  virtual ~partition_sink() = default;
  std::string const& name() const noexcept { return name_; }

  // Who may write: the handler. What runs beside it would not know in front of which checkpoint it is.
  void written_by(context const* handler) noexcept { writer_ = handler; }
  // Throws errc::misuse when rows cannot go with the barrier as the sink promises.
  void check(barrier const& b) const;
  // Records up to there are done.
  void settle(position const& done) noexcept;
  void settle_all() noexcept { settled_ = count_; }
  // Null: nothing.
  std::shared_ptr<sink_write> take_settled() { return take_first(settled_); }
  std::shared_ptr<sink_write> take_all() { return take_first(count_); }
  // Of no rows.
  std::shared_ptr<sink_write> take_none() { return make(0); }
  bool has_open() const noexcept { return settled_ != count_; }
  // What `write_to` had at the end of its stream, behind all barriers.
  void leave(std::shared_ptr<sink_write> rows) { left_.push_back(std::move(rows)); }
  std::vector<std::shared_ptr<sink_write>> take_left() noexcept { return std::exchange(left_, {}); }
  // That, or rows by hand which are open.
  bool has_left() const noexcept { return has_open() || !left_.empty(); }
  // Rows of records that come again.
  void drop_open() noexcept;
  void clear() noexcept;
  // How many bytes the rows take.
  std::size_t memory() const noexcept { return memory_; }

protected:
  // Throws errc::misuse when it is not the handler that writes.
  void check(context const& by) const;
  // A row has come, which takes so much.
  void note(std::size_t bytes);

private:
  struct stretch {
    stretch(std::size_t f, std::optional<position> const& d) noexcept : first(f), done(d) {}
    std::size_t first;             // row
    std::optional<position> done;  // when it was written, without the record in hand; null: nothing of its chunk
  };
  std::shared_ptr<sink_write> take_first(std::size_t rows);
  virtual std::shared_ptr<sink_write> make(std::size_t rows) = 0;  // of the first ones, which go
  virtual void keep(std::size_t rows) noexcept = 0;                // the first ones only
  virtual std::size_t measure(std::size_t rows) const = 0;         // how many bytes the first ones take

  progress const& progress_;
  std::string name_;
  guarantee promises_;
  context const* writer_ = nullptr;
  std::vector<stretch> stretches_;
  std::vector<std::shared_ptr<sink_write>> left_;
  std::size_t settled_ = 0, count_ = 0, memory_ = 0;
};

// What a sink makes of rows.
template <class Row> class row_writer {
public:
  virtual std::shared_ptr<sink_write> write(std::vector<Row> rows) = 0;

protected:
  ~row_writer() = default;
};

template <class Row> class partition_sink_of final : public partition_sink {
public:
  partition_sink_of(progress const& p, std::string name, guarantee promises, row_writer<Row>& to)
      : partition_sink(p, std::move(name), promises), to_(to) {}
  template <class R> void add(context const& by, R&& row) {
    check(by);
    rows_.push_back(std::forward<R>(row));
    note(memory_of(rows_.back()));
  }
  // Rows that do not wait here.
  std::shared_ptr<sink_write> write(std::vector<Row> rows) const {
    std::size_t const bytes = sum(rows, rows.size());
    auto w = to_.write(std::move(rows));
    if (w) w->memory(bytes);
    return w;
  }

private:
  static std::size_t memory_of(Row const& row) { return sizeof(Row) + owned_bytes(row); }
  static std::size_t sum(std::vector<Row> const& rows, std::size_t n) {
    std::size_t bytes = n * sizeof(Row);
    if constexpr (!owns_nothing<Row>)
      for (std::size_t i = 0; i != n; ++i) bytes += owned_bytes(rows[i]);
    return bytes;
  }
  std::size_t measure(std::size_t n) const override { return sum(rows_, n); }
  std::shared_ptr<sink_write> make(std::size_t n) override {
    if (n == rows_.size()) return to_.write(std::exchange(rows_, {}));
    auto const end = rows_.begin() + static_cast<std::ptrdiff_t>(n);
    std::vector<Row> first(std::make_move_iterator(rows_.begin()), std::make_move_iterator(end));
    rows_.erase(rows_.begin(), end);
    return to_.write(std::move(first));
  }
  void keep(std::size_t n) noexcept override { rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(n), rows_.end()); }

  row_writer<Row>& to_;
  std::vector<Row> rows_;
};

}  // namespace weir::detail
