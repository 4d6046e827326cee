#include "one_pipeline.hpp"

#include "opened_store.hpp"
#include "selection.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <set>

namespace state_tool {

std::vector<weir::checkpoint_listing> checkpoints_of(command_line::store_name const& in, std::string const& stream,
                                                     std::optional<std::string> const& pipeline, std::string const& called) {
  opened_store store(in, {});
  selection which;
  which.pipeline = pipeline;
  which.stream = stream;
  std::vector<weir::checkpoint_key> const keys = select_keys(store, which);
  std::set<std::string> pipelines;
  for (auto const& key : keys) pipelines.insert(key.pipeline);
  if (pipelines.size() > 1) {
    throw weir::error(weir::errc::invalid_option, "weir: cannot tell how far the stream is read",
                      fmt::format("several pipelines read it: {}", fmt::join(pipelines, ", ")), "say which by --pipeline")
        .with_stream(called);
  }
  std::vector<weir::checkpoint_listing> out;
  for (auto const& l : store.list(keys.front().pipeline))
    if (which.takes(l.key)) out.push_back(l);
  return out;
}

}  // namespace state_tool
