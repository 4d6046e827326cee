#include <weir/kinesis/detail/gap_watch.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weir::kinesis::detail {
namespace {

constexpr unsigned listings_of_a_gap = 3;  // until it is said that there is one

std::string text(std::vector<hash_key_range> const& gaps) {
  constexpr std::size_t shown = 4;
  std::string out;
  for (std::size_t i = 0; i != std::min(shown, gaps.size()); ++i)
    out += (i == 0 ? "" : ", ") + gaps[i].first.text() + " to " + gaps[i].last.text();
  if (gaps.size() > shown) out += " and " + std::to_string(gaps.size() - shown) + " more ranges";
  return out;
}

}  // namespace

unsigned gap_watch::look(std::vector<hash_key_range> found, std::string_view stream, logger const& log) {
  seen_ = found.empty() ? 0 : seen_ + 1;
  if (seen_ < listings_of_a_gap && !found.empty()) return seen_;
  if (found == said_) return seen_;
  said_ = std::move(found);
  std::string const where = " (stream " + std::string(stream) + ")";
  if (said_.empty()) log.info("kinesis: all keys are read again" + where);
  else
    log.error("kinesis: keys are not read" + where + ": no shard is read that has " + text(said_) +
              "; restart what has halted, or look at the stream's shards");
  return seen_;
}

}  // namespace weir::kinesis::detail
