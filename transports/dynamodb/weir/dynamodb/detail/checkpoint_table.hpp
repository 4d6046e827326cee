#pragma once
#include <weir/dynamodb/client.hpp>
#include <weir/dynamodb/detail/checkpoint_rows.hpp>
#include <weir/dynamodb/detail/state_delta.hpp>
#include <weir/dynamodb/state_store_options.hpp>
#include <weir/task.hpp>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace weir::dynamodb::detail {

// What a store asks its table: heads, segments, and what is in it. Outlives its tasks.
class checkpoint_table {
public:
  checkpoint_table(client calls, state_store_options options) : calls_(std::move(calls)), options_(std::move(options)) {}

  // Makes the table, or looks at it, once.
  task<> open();
  std::string const& name() const noexcept { return options_.table; }

  // As it is; null: there is none.
  task<std::optional<item>> head_row(std::string hash);
  task<std::optional<stored_head>> head(checkpoint_key key);
  // Replaces the head that is of the commit `before`; empty: where there is none. False: there is another one.
  task<bool> replace_head(std::string hash, stored_head next, std::string before);
  // The same for nothing in its place. `before` null: whatever it is.
  task<bool> erase_head(std::string hash, std::optional<std::string> before);

  task<> write_pieces(std::vector<item> pieces);
  // Null: it is not there, or not as it was written.
  task<std::optional<state_delta>> read_segment(std::string hash, segment s);
  // The sort keys of all segments' pieces, of that generation; empty: of any.
  task<std::vector<std::string>> parts_of(std::string hash, std::string generation);
  task<> erase_parts(std::string hash, std::vector<std::string> parts);
  // The pieces of those.
  task<> erase_segments(std::string hash, std::vector<segment> all);

  // Of all heads whose partition key begins so.
  task<std::vector<checkpoint_key>> keys(std::string prefix);

private:
  client calls_;
  state_store_options options_;
  std::atomic<bool> opened_ = false;
};

}  // namespace weir::dynamodb::detail
