// Consumers in one simulation, over blobs in memory whose requests take time and fail.
#include <weir/eventhubs/detail/balance_loop.hpp>

#include <weir/async_scope.hpp>
#include <weir/context.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>

#include "ownership_fake.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::balance_event;
using eventhubs::balancer_options;
using eventhubs::ownership_list;
using eventhubs::ownership_write;
using eventhubs::ownership_write_result;
using eventhubs::detail::balance_loop;
using eventhubs::detail::balance_subject;
using test::fails_with;
using test::ownership_fake;

namespace {

// The blobs as one consumer gets at them.
class blob_desk final : public eventhubs::ownership_service {
public:
  explicit blob_desk(std::shared_ptr<ownership_fake> b) : blobs_(std::move(b)) {}

  bool cut = false;   // nothing gets there
  bool deaf = false;  // nothing comes back
  std::size_t lists = 0, writes = 0;

  task<ownership_list> list() override {
    ++lists;
    co_await sleep_for(10ms);
    if (cut || deaf) fail();
    context const& own = co_await current_context();
    co_return blobs_->all(own.clock().now());
  }
  task<ownership_write_result> write(ownership_write w) override {
    ++writes;
    co_await sleep_for(10ms);
    if (cut) fail();
    context const& own = co_await current_context();
    ownership_write_result out;
    out.etag = blobs_->write(w, own.clock().now());
    out.done = !out.etag.empty();
    if (!out.done) out.stored = blobs_->at(w.before.partition);
    if (deaf) fail();
    co_return out;
  }

private:
  [[noreturn]] static void fail() { throw error(errc::unavailable, "azure: the request failed", "the connection was closed"); }
  std::shared_ptr<ownership_fake> blobs_;
};

task<std::vector<std::string>> four_partitions() {
  std::vector<std::string> out;
  for (char const* const id : {"0", "1", "2", "3"}) out.emplace_back(id);
  co_return out;
}

// A consumer which lets go of everything as soon as it is told to end.
struct reader {
  reader(std::string name, std::shared_ptr<ownership_fake> const& blobs, environment& env, std::uint64_t seed,
         balancer_options const& o = {})
      : desk(std::make_shared<blob_desk>(blobs)), loop(subject(), std::move(name), o, seed, env) {}
  balance_subject subject() {
    balance_subject out;
    out.event_hub = "ticks";
    out.service = desk;
    out.partitions = &four_partitions;
    out.told = [this](balance_event const& e) {
      if (e.what == balance_event::kind::gained) mine.insert(e.partition);
      else mine.erase(e.partition);
    };
    return out;
  }
  void end() {
    loop.drain();
    for (std::string const& id : mine) loop.let_go(id);
    mine.clear();
  }
  static task<> live(std::shared_ptr<reader> r) {
    task<> running = r->loop.run();
    co_await std::move(running);
    r->over = true;
  }

  std::shared_ptr<blob_desk> desk;
  std::set<std::string> mine;
  bool over = false;
  balance_loop loop;
};

task<> share_and_end() {
  environment& env = (co_await current_context()).environment();
  auto const blobs = std::make_shared<ownership_fake>();
  auto const a = std::make_shared<reader>("a", blobs, env, 1), b = std::make_shared<reader>("b", blobs, env, 2);
  auto body = [&](async_scope& scope) -> task<> {
    scope.spawn(reader::live(a));
    co_await sleep_for(1s);
    CHECK(a->mine.size() == 4);
    CHECK(a->loop.holds("0"));
    scope.spawn(reader::live(b));
    co_await sleep_for(11s);
    CHECK(a->mine.size() == 2);
    CHECK(b->mine.size() == 2);
    std::size_t const written = a->desk->writes;
    co_await sleep_for(100s);
    CHECK(a->mine.size() == 2);
    CHECK(a->desk->writes - written >= 20);  // renewals of two in ten intervals, or a little more
    CHECK(a->desk->writes - written <= 24);
    b->loop.drain();
    co_await sleep_for(20s);  // what it has is still read, and renewed
    CHECK_FALSE(b->over);
    CHECK(b->mine.size() == 2);
    b->end();
    co_await sleep_for(1s);
    CHECK(b->over);
    co_await sleep_for(11s);
    CHECK(a->mine.size() == 4);
    a->end();
  };
  task<> all = with_scope(std::move(body));
  co_await std::move(all);
  CHECK(a->over);
  for (auto const& o : blobs->all(0).all) CHECK(o.owner.empty());
}

task<> be_cut_off() {
  environment& env = (co_await current_context()).environment();
  auto const blobs = std::make_shared<ownership_fake>();
  auto const a = std::make_shared<reader>("a", blobs, env, 1), b = std::make_shared<reader>("b", blobs, env, 2);
  auto body = [&](async_scope& scope) -> task<> {
    scope.spawn(reader::live(a));
    scope.spawn(reader::live(b));
    co_await sleep_for(50s);
    CHECK(a->mine.size() == 2);
    a->desk->cut = true;
    co_await sleep_for(62s);
    CHECK(a->mine.empty());  // it knows, though it hears nothing
    co_await sleep_for(12s);
    CHECK(b->mine.size() == 4);
    a->desk->cut = false;
    co_await sleep_for(30s);
    CHECK(a->mine.size() == 2);
    CHECK(b->mine.size() == 2);
    a->desk->deaf = true;  // what it writes is done, and it does not know
    co_await sleep_for(25s);
    CHECK(a->mine.size() == 2);
    a->desk->deaf = false;
    co_await sleep_for(30s);
    CHECK(a->mine.size() == 2);
    CHECK(b->mine.size() == 2);
    a->end();
    b->end();
  };
  task<> all = with_scope(std::move(body));
  co_await std::move(all);
  for (auto const& o : blobs->all(0).all) CHECK(o.owner.empty());
}

task<> begin_without_blobs() {
  environment& env = (co_await current_context()).environment();
  auto const a = std::make_shared<reader>("a", std::make_shared<ownership_fake>(), env, 1);
  a->desk->cut = true;
  task<> running = a->loop.run();
  co_await std::move(running);
}

}  // namespace

TEST_CASE("consumers share what there is, and leave it to the others when they end", "[eventhubs][balancer]") {
  testing::run(share_and_end());
}

TEST_CASE("a consumer that is cut off has lost what it had, and comes back", "[eventhubs][balancer]") { testing::run(be_cut_off()); }

TEST_CASE("sharing that cannot begin fails, and says what about", "[eventhubs][balancer]") {
  fails_with(errc::unavailable, [] { testing::run(begin_without_blobs()); }, "stream ticks", "the connection was closed");
}
