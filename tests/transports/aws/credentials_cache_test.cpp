#include <weir/aws/credentials_cache.hpp>
#include <weir/aws/credentials_chain.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "transports/aws/support.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using found = std::optional<aws::credentials>;

namespace {

// Takes a second, and then does what it is told for the n-th time.
class scripted final : public aws::credentials_source {
public:
  explicit scripted(std::function<found(int, instant)> what, std::string_view kind = "script") : what_(std::move(what)), kind_(kind) {}
  std::string_view kind() const noexcept override { return kind_; }
  task<found> fetch() override {
    context const& own = co_await current_context();
    int const nth = ++calls;
    co_await sleep_for(1s);
    co_return what_(nth, own.clock().now());
  }
  int calls = 0;

private:
  std::function<found(int, instant)> what_;
  std::string_view kind_;
};

// Each time others, for an hour.
found for_an_hour(int nth, instant now) {
  return aws::credentials(std::to_string(nth), "secret", "token", now + std::chrono::nanoseconds(1h).count());
}
task<std::string> id_after(aws::credentials_cache cache, std::chrono::nanoseconds pause) {
  co_await sleep_for(pause);
  aws::credentials const c = co_await cache.get();
  co_return c.access_key_id;
}

}  // namespace

TEST_CASE("credentials are fetched once, and again five minutes before they expire", "[aws][credentials]") {
  auto const source = std::make_shared<scripted>(for_an_hour);
  aws::credentials_cache const cache(source);
  auto const all = [](aws::credentials_cache c) -> task<std::vector<std::string>> {
    std::vector<std::string> ids;
    std::vector<std::chrono::nanoseconds> const pauses{0s, 54min, 59s, 2s, 1min};
    for (auto const pause : pauses) {
      task<std::string> one = id_after(c, pause);
      ids.push_back(co_await std::move(one));
    }
    co_return ids;
  };
  CHECK(testing::run(all(cache)) == std::vector<std::string>{"1", "1", "1", "2", "2"});
  CHECK(source->calls == 2);
}

TEST_CASE("however many ask, one fetches; the others wait for it only where nothing is good", "[aws][credentials]") {
  auto const source = std::make_shared<scripted>(for_an_hour);
  aws::credentials_cache const cache(source);
  auto const three = [](aws::credentials_cache c, std::chrono::nanoseconds at) {
    return when_all(id_after(c, at), id_after(c, at), id_after(c, at + 500ms));
  };
  auto const first = testing::run(three(cache, 0s));
  CHECK(first == std::tuple(std::string("1"), std::string("1"), std::string("1")));
  CHECK(source->calls == 1);
  auto const later = [three](aws::credentials_cache c) -> task<std::string> {
    task<std::string> begin = id_after(c, 0s);
    std::string all = co_await std::move(begin);
    auto both = three(c, 56min);
    auto const [a, b, d] = co_await std::move(both);
    co_return all + a + b + d;
  };
  auto const again = std::make_shared<scripted>(for_an_hour);
  std::string const ids = testing::run(later(aws::credentials_cache(again)));
  CHECK(again->calls == 2);
  CHECK((ids == "1211" || ids == "1121"));  // who fetches has the new ones
}

TEST_CASE("old credentials are good while new ones cannot be had, and no longer", "[aws][credentials]") {
  auto const source = std::make_shared<scripted>([](int nth, instant now) -> found {
    if (nth == 2 || nth == 3) throw error(errc::unavailable, "aws: no credentials", "down");
    return for_an_hour(nth, now);
  });
  auto const run = [](std::shared_ptr<scripted> s) -> task<std::string> {
    aws::credentials_cache const cache(s);
    std::string out;
    std::vector<std::chrono::nanoseconds> const pauses{0s, 56min, 20s, 1h};
    for (auto const pause : pauses) {
      try {
        task<std::string> one = id_after(cache, pause);
        out += co_await std::move(one);
      } catch (error const& e) {
        out += e.code() == errc::unavailable ? "!" : "?";
      }
    }
    co_return out;
  };
  CHECK(testing::run(run(source)) == "111!");
  CHECK(source->calls == 3);  // 20 s after a failure it is not tried again
}

TEST_CASE("credentials that a service has refused are fetched anew", "[aws][credentials]") {
  auto const source = std::make_shared<scripted>(for_an_hour);
  aws::credentials_cache const cache(source);
  aws::credentials const first = testing::run(cache.get());
  cache.drop(aws::credentials("another", ""));
  CHECK(testing::run(cache.get()).access_key_id == "1");
  cache.drop(first);
  CHECK(testing::run(cache.get()).access_key_id == "2");
}

TEST_CASE("a chain asks in order, and then only who had any", "[aws][credentials]") {
  auto const none = std::make_shared<scripted>([](int, instant) { return found(); }, "first");
  auto const some = std::make_shared<scripted>(for_an_hour, "second");
  auto const never = std::make_shared<scripted>(for_an_hour, "third");
  aws::credentials_chain chain({none, some, never});
  CHECK(chain.text() == "first, second, third");
  CHECK(testing::run(chain.fetch())->access_key_id == "1");
  CHECK(testing::run(chain.fetch())->access_key_id == "2");
  CHECK(none->calls == 1);
  CHECK(never->calls == 0);
  CHECK(chain.text() == "second");
}

TEST_CASE("where there are no credentials, the error says where they were looked for", "[aws][credentials]") {
  aws::credentials_cache const cache(
      aws::credentials_chain::standard(test::with_variables({{"HOME", "/nowhere"}, {"AWS_EC2_METADATA_DISABLED", "true"}})));
  fails_with(
      errc::not_found, [&] { testing::run(cache.get()); }, "environment, web identity, profile, container, instance", "AWS_ACCESS_KEY_ID");
}
