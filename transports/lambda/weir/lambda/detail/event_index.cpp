#include <weir/lambda/detail/event_index.hpp>

#include <weir/error.hpp>

#include <utility>

namespace weir::lambda::detail {

void expect_source(event_index const& e, event_source s, char const* reader) {
  if (e.source == s) return;
  throw error(errc::misuse, std::string(reader) + ": cannot read the event", "it is one of " + std::string(to_string(e.source)),
              "look at event::source() first");
}

void refuse_record(event_index const& e, std::size_t index, std::string why) {
  std::string which = std::string(to_string(e.source)) + ", record " + std::to_string(index) + " of " + std::to_string(e.size());
  throw error(errc::malformed, "lambda: cannot read a record of the event", std::move(why))
      .with_stream(e.source_arn)
      .with_partition(e.shard_id)
      .with_detail(std::move(which));
}

}  // namespace weir::lambda::detail
