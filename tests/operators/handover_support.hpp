#pragma once
#include <weir/application.hpp>
#include <weir/instant.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/keeping_in.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

/// Sales, for tests of partitions that go on in others.
namespace weir::test::sales {

inline constexpr instant second = 1'000'000'000;

struct sale {
  std::string key;
  instant at = 0;
  std::int64_t amount = 0;
  std::int64_t id = 0;
};
inline bool in_front(std::string_view key) { return key < "d"; }
inline bool behind(std::string_view key) { return !in_front(key); }

inline std::string name_of(std::string const& key, instant start) { return key + "@" + std::to_string(start / second); }

template <class Handler> void run_once(testing::script<sale> const& input, std::shared_ptr<memory_state_store> store, Handler handler) {
  application app(keeping_in(std::move(store)));
  app.use_memory_stream(input, [&](auto& pipeline) { pipeline.use_stream(handler); });
  testing::run(app.serve());
}

inline sale at(std::string key, std::int64_t seconds, std::int64_t amount) {
  static std::int64_t id = 0;
  sale s;
  s.key = std::move(key);
  s.at = seconds * second;
  s.amount = amount;
  s.id = ++id;
  return s;
}

}  // namespace weir::test::sales
