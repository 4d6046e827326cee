// Pipelines on a store, for operators that keep a part of their state there.
#pragma once
#include <weir/application.hpp>
#include <weir/entry_reader.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/read_through.hpp>
#include <weir/testing/run.hpp>

#include "operators/timed_support.hpp"
#include "support/forwarding_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// A store that counts how often single entries are read, and can fail to.
class counted_store final : public forwarding_store, private entry_reader {
public:
  counted_store() : forwarding_store(std::make_shared<memory_state_store>()) {}
  entry_reader* reader() noexcept override { return this; }
  std::size_t reads = 0;
  std::optional<error> failure;

private:
  std::optional<std::vector<std::byte>> read(checkpoint_key const& of, std::string_view operator_id, std::string_view key) override {
    ++reads;
    if (failure) throw error(*failure);
    return inside().reader()->read(of, operator_id, key);
  }
  void each(checkpoint_key const& of, std::string_view operator_id,
            std::function<void(std::string_view, std::span<std::byte const>)> const& f) override {
    inside().reader()->each(of, operator_id, f);
  }
};
/// A store that cannot read single entries.
class blind_store final : public forwarding_store {
public:
  blind_store() : forwarding_store(std::make_shared<memory_state_store>()) {}
  entry_reader* reader() noexcept override { return nullptr; }
};

/// In chunks of `chunk`.
template <class T> testing::script<T> in_chunks(std::vector<T> const& all, std::size_t chunk) {
  testing::script<T> out("input");
  for (std::size_t i = 0; i < all.size(); i += chunk)
    out.elements(std::vector<T>(all.begin() + static_cast<std::ptrdiff_t>(i),
                                all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), i + chunk))));
  return out;
}

/// Adds what `make(stream<T>) -> stream<std::string>` gives to `out`; there is a checkpoint after every so many elements.
template <class T, class Make>
void run_on(std::shared_ptr<state_store> store, std::uint64_t records, testing::script<T> input, Make make, std::vector<std::string>& out) {
  application app({.name = "app", .checkpoints = std::move(store), .commit = {.records = records, .every = std::chrono::hours(1)}});
  auto const handle = [&](stream<T> s, cancellation) -> task<> {
    stream<std::string> all = make(std::move(s));
    while (std::string* const x = co_await all.next()) out.push_back(std::move(*x));
  };
  app.use_memory_stream(input,
                        [&](auto& pipeline) { pipeline.use_stream([&](stream<T> s, cancellation c) { return handle(std::move(s), c); }); });
  testing::run(app.serve());
}
template <class T, class Make>
std::vector<std::string> run_on(std::shared_ptr<state_store> store, std::uint64_t records, testing::script<T> input, Make make) {
  std::vector<std::string> out;
  run_on(std::move(store), records, std::move(input), std::move(make), out);
  return out;
}

/// How many entries of the one checkpoint are read through.
inline std::size_t left_in_store(state_store& store) {
  std::size_t n = 0;
  for (checkpoint_key const& key : testing::run(store.keys())) {
    saved_checkpoint const all = testing::run(store.load(key)).value();
    n += static_cast<std::size_t>(std::ranges::count_if(all.entries, [](state_entry const& e) { return is_read_through(e.operator_id); }));
  }
  return n;
}

}  // namespace weir::test
