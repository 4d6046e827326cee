#include "totals.hpp"

#include <results/open.hpp>

#include <weir/error.hpp>
#include <weir/memory_state_store.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

namespace payments {
namespace {

constexpr std::int64_t nanoseconds_per_ms = 1'000'000;

constexpr char const* make_table =
    "CREATE TABLE payment_totals(pipeline TEXT NOT NULL, key TEXT NOT NULL, window_start BIGINT NOT NULL,"
    " payments BIGINT NOT NULL, hundredths BIGINT NOT NULL, PRIMARY KEY(pipeline, key, window_start))";
constexpr char const* upsert_sum =
    "INSERT INTO payment_totals VALUES($1, $2, $3, $4, $5) ON CONFLICT(pipeline, key, window_start)"
    " DO UPDATE SET payments = excluded.payments, hundredths = excluded.hundredths";
results::statement upsert(std::string const& pipeline, window_sum const& w) {
  std::vector<results::value> values;
  values.emplace_back(pipeline);
  values.emplace_back(w.key);
  for (std::int64_t const n : {w.window_start / nanoseconds_per_ms, static_cast<std::int64_t>(w.sum.payments), w.sum.amount.value()})
    values.emplace_back(n);
  return {upsert_sum, std::move(values)};
}
constexpr char const* select_sums =
    "SELECT key, window_start, payments, hundredths FROM payment_totals WHERE pipeline = $1 ORDER BY key, window_start";

std::int64_t number_in(std::string const& text) {
  std::int64_t n = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failed != std::errc() || end != text.data() + text.size())
    throw weir::error(weir::errc::corrupt, "payments: cannot read payment_totals", "\"" + text + "\" is no number",
                      "restore it from a copy");
  return n;
}

}  // namespace

totals::totals() {
  auto memory = std::make_shared<weir::memory_state_store>();
  in_memory_.emplace(memory);
  sink_.emplace(*in_memory_);
  checkpoints_ = std::move(memory);
}

totals::totals(command_line::store_name const& store, std::string pipeline)
    : pipeline_(std::move(pipeline)), database_(results::open_database(store)), checkpoints_(results::open_checkpoints(store)) {
  sink_.emplace(checkpoints_, [name = pipeline_](std::vector<window_sum> const& all) {
    std::vector<results::statement> out;
    out.reserve(all.size());
    for (window_sum const& w : all) out.push_back(upsert(name, w));
    return out;
  });
}

weir::task<std::unique_ptr<totals>> totals::open(command_line::store_name store, std::string pipeline) {
  std::unique_ptr<totals> made(new totals(store, std::move(pipeline)));
  std::unique_ptr<results::transaction> const all = co_await made->database_->begin();
  std::vector<results::statement> look, make;
  look.push_back(made->database_->list_tables());
  std::vector<results::rows> const tables = co_await all->run(std::move(look));
  std::vector<std::string> const ours{"payment_totals"};
  if (std::find(tables[0].begin(), tables[0].end(), ours) == tables[0].end()) make.emplace_back(make_table);
  co_await all->run(std::move(make));
  co_await all->commit();
  co_return made;
}

weir::task<std::vector<window_sum>> totals::read() const {
  if (in_memory_) co_return in_memory_->rows();
  std::unique_ptr<results::transaction> const all = co_await database_->begin();
  std::vector<results::value> mine;
  mine.emplace_back(pipeline_);
  std::vector<results::statement> ask;
  ask.emplace_back(select_sums, std::move(mine));
  std::vector<results::rows> const found = co_await all->run(std::move(ask));
  co_await all->commit();
  std::vector<window_sum> sums;
  for (auto const& row : found[0]) {
    window_sum& w = sums.emplace_back();
    w.key = row[0];
    w.window_start = number_in(row[1]) * nanoseconds_per_ms;
    w.sum = {static_cast<std::uint64_t>(number_in(row[2])), cents(number_in(row[3]))};
  }
  co_return sums;
}

}  // namespace payments
