#include <weir/lambda/detail/window_state.hpp>

#include <weir/checkpoint_history.hpp>
#include <weir/codec.hpp>
#include <weir/error.hpp>
#include <weir/lambda/batch_response.hpp>
#include <weir/net/base64.hpp>
#include <weir/rfc3339.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace weir::lambda::detail {
namespace {

constexpr std::string_view state_begin = R"({"weir":")", state_end = R"("})";

using kept_entry = std::tuple<std::string, std::string, std::vector<std::byte>>;
// Position, when and by whom it was written, entries.
using kept_checkpoint = std::tuple<std::string, std::int64_t, std::string, std::vector<kept_entry>>;

[[noreturn]] void refuse_state(std::string why) {
  throw error(weir::errc::malformed, "lambda: cannot go on with a window", std::move(why),
              "the window ends without it; let this program alone answer the invocations of the mapping");
}

// Who passes it on may write it in another way: of white space, and of "\/" for "/", there is none in base64.
std::string as_written(std::string_view json) {
  constexpr std::string_view left_out = " \t\n\r\\";
  std::string out;
  for (char const c : json)
    if (left_out.find(c) == std::string_view::npos) out += c;
  return out;
}

}  // namespace

task<> window_state::restore() {
  std::string const text = as_written(window_.state);
  if (text.empty() || text == "{}" || text == "null") co_return;
  std::string_view inside(text);
  if (!inside.starts_with(state_begin) || !inside.ends_with(state_end)) refuse_state("its state is none of this program's");
  inside.remove_prefix(state_begin.size());
  inside.remove_suffix(state_end.size());
  std::optional<std::string> const bytes = net::from_base64(inside);
  if (!bytes) refuse_state("its state is no base64");
  auto [at, written_at, writer, entries] = decode_state<kept_checkpoint>(std::as_bytes(std::span(*bytes)));
  std::optional<position> const reached = position::parse(at);
  if (!reached) refuse_state("its state has no position");
  checkpoint_update whole(checkpoint_head(*reached, written_at, 1, std::move(writer)));
  for (auto& [operator_id, key, value] : entries)
    whole.changes.push_back(state_change::put(std::move(operator_id), std::move(key), std::move(value)));
  co_await store_->commit(key_, std::move(whole));
}

task<std::string> window_state::json() const {
  std::optional<saved_checkpoint> saved = co_await store_->load(key_);
  if (!saved) co_return "{}";
  std::vector<kept_entry> entries;
  for (state_entry& e : saved->entries)
    if (e.operator_id != history_id) entries.emplace_back(std::move(e.operator_id), std::move(e.key), std::move(e.value));
  kept_checkpoint const whole(saved->head.position.text(), saved->head.written_at, saved->head.writer, std::move(entries));
  std::vector<std::byte> bytes;
  encode_state(whole, bytes);
  std::string out(state_begin);
  net::append_base64(out, std::string_view(reinterpret_cast<char const*>(bytes.data()), bytes.size()));
  out += state_end;
  if (out.size() > batch_response::most_state) {
    throw error(weir::errc::too_large, "lambda: cannot hand on the state of a window",
                "it has " + std::to_string(out.size()) + " bytes as JSON, and may have " + std::to_string(batch_response::most_state),
                "have fewer keys in a window, more shards, or settings.checkpoints in place of the mapping's window")
        .with_detail(about());
  }
  co_return out;
}

std::string window_state::about() const {
  return "pipeline " + key_.pipeline + ", " + key_.stream + ", partition " + key_.partition + ", window " + format_rfc3339(window_.start) +
         " to " + format_rfc3339(window_.end);
}

}  // namespace weir::lambda::detail
