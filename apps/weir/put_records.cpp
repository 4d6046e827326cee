#include "kinesis_commands.hpp"

#ifdef WEIR_HAS_KINESIS
#include "line_feed.hpp"
#include "line_keys.hpp"

#include <weir/kinesis/producer.hpp>
#include <kinesis_access/access.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinesis_tool {
namespace {

weir::kinesis::producer producer_of(options const& o) {
  weir::kinesis::producer_options to;
  to.stream = o.where.stream;
  bool const few_keys = o.keys != state_tool::key_choice::random;
  to.order = o.in_order && few_keys ? weir::kinesis::put_order::per_key : weir::kinesis::put_order::any;
  to.most_record_bytes = std::size_t{10} * 1024 * 1024;  // the stream says when that is too much
  to.aggregate_bytes = o.aggregate_bytes;
  to.client = kinesis_access::client_of(o.where);
  return weir::kinesis::producer(std::move(to));
}

class records_of_lines final : public state_tool::line_target {
public:
  explicit records_of_lines(options const& o) : keys_(o.keys, o.key), to_(producer_of(o)) {}

  bool take(std::string_view line, std::string& why) override {
    auto key = keys_.key_of(line, why);
    if (!key) return false;
    records_.emplace_back(*std::move(key), std::string(line));
    return true;
  }
  weir::task<> deliver() override { return to_.put(std::exchange(records_, {})); }

private:
  state_tool::line_keys keys_;
  weir::kinesis::producer to_;
  std::vector<weir::kinesis::outgoing_record> records_;
};

}  // namespace

int put(options const& o) {
  records_of_lines to(o);
  state_tool::feed_lines(o.file, to, {"put", "record", "records", "stream", "put into " + o.where.stream});
  return 0;
}

}  // namespace kinesis_tool
#endif
