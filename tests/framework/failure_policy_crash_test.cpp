// Wherever the process ends, and whatever goes wrong with a commit: no record is lost, and none dies twice in a transactional sink.
#include <weir/failure_policy.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/fused_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/stage.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/faulty_store.hpp>
#include <weir/testing/idempotent_sink.hpp>
#include <weir/testing/simulation.hpp>

#include "support/catch.hpp"

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using testing::fault;
using testing::fault_script;
using testing::script;

namespace {

using texts = std::vector<std::string>;
std::set<int> const poison{1, 4, 5, 9};

// Adds up, in a state that is saved as a whole; what it cannot add is not in its sum.
class checked_sum : public forwards_marks {
public:
  std::string_view state_id() const { return "sum"; }
  bool element(int& x, auto t, auto down) {
    if (poison.contains(x)) throw std::runtime_error("poisoned");
    sum_ += x;
    int y = sum_;
    return down.element(y, t);
  }
  void save(std::vector<std::byte>& to) const { to.push_back(static_cast<std::byte>(sum_)); }
  void restore(std::span<std::byte const> from) { sum_ = std::to_integer<int>(from[0]); }

private:
  int sum_ = 0;
};

// What outlives the process.
struct surroundings {
  std::shared_ptr<memory_state_store> kept = std::make_shared<memory_state_store>();
  memory_table<dead_letter> letters{kept};
  texts told;  // by a sink without transactions
  testing::idempotent_sink sums;
  ledger books;
  fault_script commits{"commit"};
  testing::simulation world;

  // False: it has to be started again.
  bool start(bool transactional) {
    settings s;
    s.checkpoints = std::make_shared<testing::faulty_store>(kept, commits);
    s.commit = {.records = 3, .every = 1h};
    s.log = logger(log_level::error, [](log_level, std::string_view) {});
    application app(std::move(s));
    auto const input = script<int>().elements({1, 2}).elements({3, 4, 5, 6}).element(7).elements({8, 9});
    app.use_source(std::make_shared<testing::faulty_source<int>>(input), [&](auto& pipeline) {
      auto policy = failure_policy().retry(retry_policy().attempts(2)).counted_in(books, "records");
      auto const tell = [this](dead_letter const& l) { told.push_back(l.payload); };
      pipeline.on_failure(transactional ? policy.dead_letter_to(letters) : policy.dead_letter_to(tell))
          .use_stream([this](stream<int> in, cancellation) -> task<> {
            auto all = std::move(in) | simple_stage<checked_sum, unchanged>(checked_sum());
            while (int* x = co_await all.next()) co_await sums.write(std::to_string(*x), "reached");
          });
    });
    try {
      world.run(app.serve());
    } catch (testing::crashed const&) {
      return false;
    } catch (error const&) {
      return false;
    }
    return true;
  }
  void run_to_the_end(bool transactional) {
    for (int starts = 0; starts != 10; ++starts)
      if (start(transactional)) return;
    FAIL("it does not end");
  }
  void check(bool transactional) const {
    CHECK(sums.contents() ==
          std::map<std::string, std::string>{{"2", "reached"}, {"5", "reached"}, {"11", "reached"}, {"18", "reached"}, {"26", "reached"}});
    CHECK(books.sum("records").dead == 4);
    CHECK(books.sum("records").balanced());
    if (transactional) {
      texts payloads;
      for (dead_letter const& l : letters.rows()) payloads.push_back(l.payload);
      CHECK(payloads == texts{"1", "4", "5", "9"});
    } else {
      CHECK(std::set<std::string>(told.begin(), told.end()) == std::set<std::string>{"1", "4", "5", "9"});
    }
  }
};

}  // namespace

TEST_CASE("a crash after any step leaves each dead letter once, or for other sinks at least once", "[framework][failures]") {
  for (bool const transactional : {true, false}) {
    surroundings calm;
    calm.run_to_the_end(transactional);
    calm.check(transactional);
    std::uint64_t const steps = calm.world.steps();
    CHECK(steps > 100);
    std::size_t twice = 0;
    for (std::uint64_t step = 0; step <= steps; ++step) {
      INFO("crash after step " << step << ", " << (transactional ? "with the commit" : "by a function"));
      surroundings s;
      s.world.crash_after(step);
      s.run_to_the_end(transactional);
      s.check(transactional);
      twice += s.told.size() > 4;
    }
    CHECK((twice != 0) == !transactional);  // a crash between letter and commit has happened
  }
}

TEST_CASE("a commit that goes wrong leaves each dead letter once", "[framework][failures]") {
  surroundings calm;
  calm.run_to_the_end(true);
  std::uint64_t const commits = calm.commits.calls();
  CHECK(commits > 5);
  for (fault const f : {fault::fail, fault::lost_ack, fault::delay, fault::crash_before, fault::crash_after}) {
    for (std::uint64_t nth = 1; nth <= commits; ++nth) {
      for (bool const transactional : {true, false}) {
        INFO("commit " << nth << " " << testing::text(f));
        surroundings s;
        s.commits.at(nth, f);
        s.run_to_the_end(transactional);
        s.check(transactional);
      }
    }
  }
}
