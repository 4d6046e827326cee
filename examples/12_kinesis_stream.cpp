// Visits per page, of the stream of Kinesis that the variable STREAM names, or else of a script that stands in for Kinesis. For a file the
// pipeline would be the same.
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/weir.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinesis = weir::kinesis;

// One shard with five records, for a program without a network. An iterator is the number of the next record.
class scripted final : public kinesis::shard_service {
public:
  weir::task<std::vector<kinesis::shard>> list_shards(std::string) override {
    std::vector<kinesis::shard> all(1);
    all[0].id = "shardId-000000000000";
    all[0].keys.last = kinesis::hash_key::last();
    co_return all;
  }
  weir::task<std::string> get_shard_iterator(std::string, std::string, kinesis::starting_position) override { co_return "0"; }
  weir::task<kinesis::record_batch> get_records(std::string iterator, std::size_t limit) override {
    kinesis::record_batch out;
    out.bytes = weir::shared_bytes::copy_of("/prices/home/");  // what the records view
    std::string_view const text = out.bytes.view();
    std::vector<std::string_view> const pages{text.substr(12), text.substr(0, 7), text.substr(12), text.substr(7, 5), text.substr(12)};
    std::size_t next = std::stoul(iterator);
    for (; next != pages.size() && out.records.size() != limit; ++next)
      out.records.push_back({pages[next], pages[next], weir::position(0, 0, next + 1, 0), weir::start_of_time, false});
    out.next_iterator = std::to_string(next);
    co_return out;
  }
};

int main() {
  weir::application app({.name = "visits"});
  std::map<std::string, int> visits;
  kinesis::options from;
  char const* const stream = std::getenv("STREAM");
  from.stream = stream ? stream : "visits";
  if (!stream) from.service = std::make_shared<scripted>();
  app.use_kinesis_stream(from, [&](auto& pipeline) {
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-capturing-lambda-coroutines): the pipeline keeps its handler
    pipeline.use_stream([&](weir::stream<kinesis::record> records, weir::cancellation) -> weir::task<> {
      while (kinesis::record const* const r = co_await records.next()) {
        std::string page(r->data());
        std::cout << r->shard_id() << ": " << page << ", visit " << ++visits[page] << '\n';
        if (visits[page] == 3) app.stop();  // a stream has no end
      }
    });
  });
  return app.run();
}
