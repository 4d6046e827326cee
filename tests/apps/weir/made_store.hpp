#pragma once
#include <weir/rocksdb/state_store.hpp>
#include <weir/sqlite/state_store.hpp>

#include "conformance/state_store_conformance.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace state_tool::test {

/// A store in a folder of its own, as a pipeline leaves it: made, filled and closed by the library.
class made_store {
public:
  explicit made_store(std::string kind) : kind_(std::move(kind)) {}

  /// As the command line calls it, from the folder.
  std::string name(std::string const& of = "s") const { return kind_ == "rocksdb" ? "rocksdb:" + of : of; }
  std::string folder() const { return folder_.path().string(); }
  std::string path(std::string const& of = "s") const { return folder_.file(of); }

  void commit(weir::checkpoint_key const& key, weir::checkpoint_head const& head, std::vector<weir::state_change> const& changes = {},
              std::string const& to = "s") const {
    weir::testing::run(open(to)->commit(key, weir::checkpoint_update(head, changes)));
  }
  std::optional<weir::saved_checkpoint> load(weir::checkpoint_key const& key) const { return weir::testing::run(open("s")->load(key)); }

private:
  std::unique_ptr<weir::state_store> open(std::string const& which) const {
    if (kind_ == "rocksdb") return std::make_unique<weir::rocksdb::state_store>(path(which));
    return std::make_unique<weir::sqlite::state_store>(path(which));
  }

  weir::test::temporary_folder folder_;
  std::string kind_;
};

inline weir::checkpoint_key const first("bars", "ticks", "1"), second("bars", "ticks", "2"), third("clicks", "web log", "0");

/// Three checkpoints of two pipelines.
inline void fill(made_store const& s, std::string const& to = "s") {
  using weir::test::head;
  using weir::test::put;
  // 2024-08-08T23:54:15.342Z
  s.commit(first, head(1, weir::position(17), 1'723'161'255'342'000'000),
           {put("window", "BTC", "open windows"), put("dedup", std::string("\0\1", 2), "x")}, to);
  s.commit(second, head(1, weir::position(5, 0, 3), 1'723'161'255'342'000'000), {}, to);
  s.commit(third, head(1, weir::position(900), 1'723'161'255'000'000'000), {put("sessions", "alice", "12345")}, to);
}

}  // namespace state_tool::test
