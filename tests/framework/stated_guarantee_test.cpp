// What an application says about its pipelines when it starts.
#include <weir/application.hpp>
#include <weir/console.hpp>
#include <weir/guarantee.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_sender.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/testing/run.hpp>
#include <weir/topic.hpp>

#include "support/catch.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace weir;
using testing::script;

namespace {

// Renamed as a whole at the end, say.
class replaced {
public:
  using row_type = int;
  static constexpr std::string_view kind = "file";
  static constexpr guarantee promises = guarantee::idempotent;
  std::shared_ptr<outside_write> write(std::vector<int>) const { return nullptr; }
};

template <class Configure> std::vector<std::string> said_by(std::shared_ptr<memory_state_store> store, Configure configure) {
  std::vector<std::string> said;
  settings s;
  s.checkpoints = std::move(store);
  s.log = logger(log_level::info, [&said](log_level, std::string_view text) { said.emplace_back(text); });
  application app(std::move(s));
  app.use_memory_stream(script<int>("ticks"), [&](auto& pipeline) {
    configure(pipeline);
    pipeline.use_stream([](stream<int> in, cancellation) -> task<> {
      while (co_await in.next()) {}
    });
  });
  testing::run(app.serve());
  return said;
}
using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an application says what each pipeline promises, end to end", "[framework][sink]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const table(store);
  console<int> const out([](int x) { return std::to_string(x); });
  CHECK(said_by(store, [](auto&) {}) == lines{"application: ticks: at least once; its state exactly once"});
  CHECK(said_by(store, [&](auto& p) { p.use_sink("bars", table); }) ==
        lines{"application: ticks -> bars: effects exactly once (transactional memory)"});
  CHECK(said_by(store, [&](auto& p) { p.use_sink("bars", table).use_sink("screen", out).use_sink("files", replaced()); }) ==
        lines{"application: ticks -> bars: effects exactly once (transactional memory); -> screen: at least once (console); -> files: "
              "effects once in the end (idempotent file)"});
  topic<int> const closed(std::make_shared<memory_sender>());
  CHECK(said_by(store, [&](auto& p) { p.use_sink("bars", table).use_topic("bar:closed", closed); }) ==
        lines{"application: ticks -> bars: effects exactly once (transactional memory); -> bar:closed: messages at least once, with "
              "identity (memory)"});
  CHECK(
      said_by(nullptr, [&](auto& p) { p.use_sink("screen", out); }) ==
      lines{"application: ticks -> screen: at least once (console); as long as the process lives, since settings.checkpoints is not set"});
}

TEST_CASE("guarantees have names", "[framework][sink]") {
  CHECK(to_string(guarantee::at_least_once) == "at least once");
  CHECK(to_string(guarantee::idempotent) == "idempotent");
  CHECK(to_string(guarantee::transactional) == "transactional");
}
