#include "selection.hpp"

#include "text.hpp"

#include <weir/error.hpp>

#include <algorithm>
#include <utility>

namespace state_tool {
namespace {

weir::error named(weir::error e, opened_store const& from, selection const& which) {
  if (which.stream) e.with_stream(name_text(*which.stream));
  if (which.partition) e.with_partition(name_text(*which.partition));
  if (which.pipeline) e.with_detail("pipeline " + name_text(*which.pipeline));
  e.with_detail(from.name());
  return e;
}

// Some, so that a name that was mistyped is found.
std::string some_of(std::vector<weir::checkpoint_key> const& keys) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t i = 0; i != std::min(keys.size(), most); ++i) out += (i == 0 ? "" : ", ") + checkpoint_text(keys[i]);
  return keys.size() > most ? out + ", ..." : out;
}

[[noreturn]] void refuse_none(opened_store const& from, selection const& which, std::vector<weir::checkpoint_key> const& all) {
  throw named(weir::error(weir::errc::not_found, "weir: there is no such checkpoint",
                          all.empty() ? "the store has none" : "the store has " + some_of(all),
                          all.empty() ? "look whether it is the store of the pipeline" : "weir state list shows the names"),
              from, which);
}

}  // namespace

bool selection::takes(weir::checkpoint_key const& key) const {
  return (!pipeline || *pipeline == key.pipeline) && (!stream || *stream == key.stream) && (!partition || *partition == key.partition);
}

std::vector<weir::checkpoint_key> select_keys(opened_store& from, selection const& which) {
  auto all = from.keys();
  std::vector<weir::checkpoint_key> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](auto const& key) { return which.takes(key); });
  if (out.empty() && !which.takes_all()) refuse_none(from, which, all);
  return out;
}

weir::checkpoint_key select_one(opened_store& from, selection const& which) {
  auto found = select_keys(from, which);
  if (found.empty()) refuse_none(from, which, found);
  if (found.size() == 1) return std::move(found[0]);
  throw named(weir::error(weir::errc::invalid_option, "weir: it is not clear which checkpoint is meant",
                          "there are " + std::to_string(found.size()) + ": " + some_of(found), "give --pipeline, --stream and --partition"),
              from, which);
}

}  // namespace state_tool
