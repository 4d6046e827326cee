#include "bar_items.hpp"

#include <weir/error.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <map>
#include <utility>

namespace ticks {
namespace {

using weir::dynamodb::attribute_value;
using weir::dynamodb::batch_write;
using weir::dynamodb::item;

constexpr std::int64_t per_millisecond = 1'000'000;

attribute_value time_value(weir::instant t) { return attribute_value::number(std::to_string(t / per_millisecond)); }

item item_of(closed_bar const& b) {
  bar const& v = b.value;
  item out;
  out.emplace("symbol", attribute_value::string(std::string(b.key.view())));
  out.emplace("window_start", time_value(b.window.start));
  out.emplace("window_end", time_value(b.window.end));
  out.emplace("open", attribute_value::string(v.open.text()));
  out.emplace("high", attribute_value::string(v.high.text()));
  out.emplace("low", attribute_value::string(v.low.text()));
  out.emplace("close", attribute_value::string(v.close.text()));
  out.emplace("volume", attribute_value::string(v.volume.text()));
  out.emplace("trades", attribute_value::number(v.trades));
  return out;
}

// Of a bar that is there twice the last one, as a batch of DynamoDB has each key once.
std::vector<batch_write> writes_of(std::vector<closed_bar> const& bars) {
  std::map<std::pair<std::string, weir::instant>, closed_bar const*> last;
  for (closed_bar const& b : bars) last.insert_or_assign(std::pair(std::string(b.key.view()), b.window.start), &b);
  std::vector<batch_write> out;
  out.reserve(last.size());
  for (auto const& [place, b] : last) out.push_back(batch_write::put(item_of(*b)));
  return out;
}

weir::task<bool> put(weir::dynamodb::client calls, std::string table, std::vector<batch_write> all) {
  try {
    weir::task<> writing = calls.write_all(std::move(table), std::move(all));
    co_await std::move(writing);
  } catch (weir::error const& e) {
    if (e.code() != weir::condition::not_found) throw;
    co_return false;
  }
  co_return true;
}

weir::task<> make_table(weir::dynamodb::client calls, std::string table) {
  weir::dynamodb::key_attribute const hash("symbol"), range("window_start", weir::dynamodb::key_type::number);
  weir::dynamodb::table_definition const made(table, hash, range);
  weir::task<bool> making = calls.create_table(made);
  (void)co_await std::move(making);  // false: another instance was first
  weir::task<weir::dynamodb::table_status> waiting = calls.wait_until_usable(std::move(table));
  (void)co_await std::move(waiting);
}

weir::task<> put_bars(weir::dynamodb::client calls, std::string table, std::vector<closed_bar> bars) {
  if (bars.empty()) co_return;
  std::vector<batch_write> const all = writes_of(bars);
  weir::task<bool> first = put(calls, table, all);
  bool const done = co_await std::move(first);
  if (done) co_return;
  weir::task<> making = make_table(calls, table);
  co_await std::move(making);
  weir::task<> again = calls.write_all(table, all);
  co_await std::move(again);
}

class bars_write final : public weir::outside_write {
public:
  bars_write(weir::dynamodb::client calls, std::string table, std::vector<closed_bar> bars)
      : calls_(std::move(calls)), table_(std::move(table)), bars_(std::move(bars)) {}
  weir::task<> write(weir::checkpoint_key, std::uint64_t) override { return put_bars(calls_, table_, bars_); }
  bool join(weir::outside_write& later) override {
    auto* const other = dynamic_cast<bars_write*>(&later);
    if (!other || other->table_ != table_) return false;
    bars_.insert(bars_.end(), other->bars_.begin(), other->bars_.end());
    return true;
  }

private:
  weir::dynamodb::client calls_;
  std::string table_;
  std::vector<closed_bar> bars_;
};

}  // namespace

bar_items::bar_items(weir::dynamodb::client calls, std::string table) : calls_(std::move(calls)), table_(std::move(table)) {}

std::shared_ptr<weir::outside_write> bar_items::write(std::vector<closed_bar> bars) const {
  return std::make_shared<bars_write>(calls_, table_, std::move(bars));
}

}  // namespace ticks
