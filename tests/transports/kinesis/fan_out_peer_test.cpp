// Enhanced fan-out against an emulator of Kinesis that is not ours, over TLS and HTTP/2, by the system's clock.
#include <weir/application.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/spawn.hpp>

#include "support/catch.hpp"
#include "support/keeping_in.hpp"
#include "support/kinesis_server.hpp"
#include "support/trusted_kinesis_mock.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;

namespace {

kinesis::client_options options_for(test::trusted_kinesis_mock const& m) {
  kinesis::client_options o = test::kinesis_server().client_options();
  o.where.url = m.url();
  o.http.ca_file = m.authority();
  o.http.proxies_from = nullptr;
  return o;
}

class mock_run {
public:
  explicit mock_run(test::trusted_kinesis_mock const& m) : client(options_for(m)) {}

  task<> put(int records) {
    std::vector<kinesis::outgoing_record> some;
    for (int i = 0; i != records; ++i) {
      std::string const key = "key " + std::to_string(put_so_far++ % 10);
      some.emplace_back(key, std::to_string(next[key]++));
    }
    std::vector<kinesis::put_result> const results = co_await client.put_records("ticks", some);
    for (auto const& r : results) CHECK_FALSE(r.failure);
  }
  // Splits the first open shard, or merges the first two.
  task<> reshard(bool split) {
    std::vector<kinesis::shard> all = co_await client.list_shards("ticks");
    std::erase_if(all, [](kinesis::shard const& s) { return s.closed; });
    std::ranges::sort(all, {}, [](kinesis::shard const& s) { return s.keys.first; });
    kinesis::hash_key const middle(std::uint64_t{1} << 61, 0);
    std::string const first = all.at(0).id, second = all.at(1).id;
    if (split) co_await client.split_shard("ticks", first, middle);
    else co_await client.merge_shards("ticks", first, second);
    co_await client.wait_until_active("ticks");
  }

  kinesis::client const client;
  std::map<std::string, int> next;  // number of the next record of a key
  int put_so_far = 0;
};

}  // namespace

TEST_CASE("kinesis-mock by enhanced fan-out over TLS: through a split and a merge each record comes once, in the order of its key",
          "[kinesis][fan_out][peer]") {
  test::trusted_kinesis_mock const mock;
  if (!mock.server) return;
  mock_run run(mock);
  auto const store = std::make_shared<memory_state_store>();
  std::vector<std::string> said;
  settings how = test::keeping_in(store, 20);
  how.log = logger(log_level::warning, [&](log_level, std::string_view text) { said.emplace_back(text); });
  application app(how);
  kinesis::options o;
  o.stream = "ticks";
  o.client = options_for(mock);
  o.consumer = "bars";
  o.discover = 1s;
  constexpr int all = 300;
  int handled = 0;
  std::map<std::string, int> seen;
  std::set<std::string> shards;
  {
    // The stream is made before the application looks for it.
    auto const made = [&]() -> task<> {
      co_await run.client.create_stream("ticks", 2);
      co_await run.client.wait_until_active("ticks");
      co_await run.put(100);
    };
    boost::asio::io_context loop;
    std::exception_ptr failed;
    spawn(loop, made(), [&](std::exception_ptr e) { failed = std::move(e); });
    loop.run();
    if (failed) std::rethrow_exception(failed);
  }
  app.use_kinesis_stream(std::move(o), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<kinesis::record> in, stream_context&) -> task<> {
      while (kinesis::record* r = co_await in.next()) {
        std::string const key(r->partition_key());
        CHECK(std::to_string(seen[key]++) == r->data());
        shards.emplace(r->shard_id());
        int const mine = ++handled;  // other shards go on meanwhile
        if (mine == 50 || mine == 150) {
          co_await run.reshard(mine == 50);
          co_await run.put(100);  // into what there is now
        }
        if (mine == all) app.stop();
      }
    });
  });
  CHECK(app.run() == 0);
  CHECK(handled == all);
  CHECK(seen == run.next);
  CHECK(shards.size() >= 4);  // one of the split may own none of the ten keys
  CHECK(std::ranges::none_of(said, [](std::string const& t) { return t.find("polled") != std::string::npos; }));
}
