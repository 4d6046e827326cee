#pragma once
#include "checkpoint_fake.hpp"
#include "ownership_fake.hpp"
#include "properties/dice.hpp"

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/checkpoint_service.hpp>
#include <weir/eventhubs/ownership_service.hpp>
#include <weir/sleep.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace weir::test {

/// The blobs of a group, both kinds.
struct group_fake {
  ownership_fake owners;
  checkpoint_fake checkpoints;
};

/// How one consumer gets at them: a request takes 10 ms, and what is to go wrong goes wrong.
class sharing_way {
public:
  explicit sharing_way(std::shared_ptr<group_fake> g, std::uint64_t seed = 1) : blobs(std::move(g)), dice_(seed) {}

  bool cut = false;                   ///< nothing gets there any more
  bool forbidden = false;             ///< everything is refused
  bool read_only = false;             ///< writes of checkpoints are refused
  int trouble = 0;                    ///< of a hundred requests: lost, or done and not answered
  std::chrono::nanoseconds longer{};  ///< that writes of checkpoints take
  std::shared_ptr<group_fake> const blobs;

  /// Whether the answer is lost.
  task<bool> passes(std::chrono::nanoseconds takes = std::chrono::milliseconds(10)) {
    co_await sleep_for(takes);
    if (forbidden)
      throw error(errc::access_denied, "azure: List Blobs failed", "status 403, AuthorizationPermissionMismatch", "give it the role");
    bool const lost = dice_.upto(99) < trouble;
    if (cut || (lost && dice_.upto(1) == 0)) fail();
    co_return lost;
  }
  [[noreturn]] static void fail() { throw error(errc::unavailable, "azure: the request failed", "the connection was closed"); }

private:
  dice dice_;
};

class owner_desk final : public eventhubs::ownership_service {
public:
  explicit owner_desk(std::shared_ptr<sharing_way> by) : way_(std::move(by)) {}
  task<eventhubs::ownership_list> list() override {
    bool const lost = co_await way_->passes();
    if (lost) sharing_way::fail();
    context const& own = co_await current_context();
    co_return way_->blobs->owners.all(own.clock().now());
  }
  task<eventhubs::ownership_write_result> write(eventhubs::ownership_write w) override {
    bool const lost = co_await way_->passes();
    context const& own = co_await current_context();
    eventhubs::ownership_write_result out;
    out.etag = way_->blobs->owners.write(w, own.clock().now());
    out.done = !out.etag.empty();
    if (!out.done) out.stored = way_->blobs->owners.at(w.before.partition);
    if (lost) sharing_way::fail();
    co_return out;
  }

private:
  std::shared_ptr<sharing_way> const way_;
};

class checkpoint_desk final : public eventhubs::checkpoint_service {
public:
  explicit checkpoint_desk(std::shared_ptr<sharing_way> by) : way_(std::move(by)) {}
  task<std::optional<eventhubs::stored_checkpoint>> find(std::string partition) override {
    bool const lost = co_await way_->passes();
    if (lost) sharing_way::fail();
    co_return way_->blobs->checkpoints.at(partition);
  }
  task<eventhubs::checkpoint_write> write(eventhubs::stored_checkpoint to) override {
    bool const lost = co_await way_->passes(std::chrono::milliseconds(10) + way_->longer);
    if (way_->read_only) throw error(errc::access_denied, "azure: Set Blob Metadata failed", "status 403, AuthorizationPermissionMismatch");
    eventhubs::checkpoint_write const out = way_->blobs->checkpoints.write(to);
    if (lost) sharing_way::fail();
    co_return out;
  }

private:
  std::shared_ptr<sharing_way> const way_;
};

}  // namespace weir::test
