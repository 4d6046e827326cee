#include <weir/rocksdb/state_store.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/error.hpp>
#include <weir/rocksdb/detail/database.hpp>
#include <weir/rocksdb/detail/state_rows.hpp>

#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace weir::rocksdb {

struct state_store::parts {
  explicit parts(std::filesystem::path folder) : db(std::move(folder)) {}

  // Writes, and when that fails, finds out whether it happened all the same: what is in the log may have become durable.
  void write(detail::write_batch& changes, std::function<bool()> const& happened) {
    std::exception_ptr failure;
    try {
      return db.write(changes);
    } catch (error const&) {
      failure = std::current_exception();
    }
    try {
      db.open_again();
      if (happened()) return;
    } catch (error const&) {
      std::rethrow_exception(failure);  // it tells more; the next call tries to open it again
    }
    std::rethrow_exception(failure);
  }

  std::mutex lock;
  detail::database db;
};

state_store::state_store(std::filesystem::path folder) : parts_(std::make_unique<parts>(std::move(folder))) {}
state_store::~state_store() = default;

task<std::optional<saved_checkpoint>> state_store::load(checkpoint_key key) {
  std::lock_guard const held(parts_->lock);
  parts_->db.need_readable();
  auto head = detail::find_head(parts_->db, key);
  if (!head) co_return std::nullopt;
  co_return saved_checkpoint(*std::move(head), detail::entries_of(parts_->db, key));
}

task<std::optional<saved_checkpoint>> state_store::load_resident(checkpoint_key key) {
  std::lock_guard const held(parts_->lock);
  parts_->db.need_readable();
  auto head = detail::find_head(parts_->db, key);
  if (!head) co_return std::nullopt;
  co_return saved_checkpoint(*std::move(head), detail::resident_entries_of(parts_->db, key));
}

task<> state_store::commit(checkpoint_key key, checkpoint_update update) {
  weir::detail::refuse_writes(key, update);
  std::lock_guard const held(parts_->lock);
  detail::database& db = parts_->db;
  db.need_writable();
  auto const stored = detail::find_head(db, key);
  if (weir::detail::judge_commit(key, update, stored ? &*stored : nullptr) == weir::detail::commit_verdict::arrived) co_return;
  detail::write_batch batch;
  detail::add_changes(batch, key, update.changes);
  detail::add_head(batch, key, update.head);
  parts_->write(batch, [&] { return detail::find_head(db, key) == update.head; });
}

task<std::vector<checkpoint_listing>> state_store::list(std::string pipeline) {
  std::lock_guard const held(parts_->lock);
  parts_->db.need_readable();
  co_return detail::list_heads(parts_->db, pipeline);
}

task<std::vector<checkpoint_key>> state_store::keys() {
  std::lock_guard const held(parts_->lock);
  parts_->db.need_readable();
  co_return detail::list_keys(parts_->db);
}

task<> state_store::erase(checkpoint_key key) {
  std::lock_guard const held(parts_->lock);
  parts_->db.need_writable();
  detail::write_batch batch;
  detail::add_erasure(batch, key);
  parts_->write(batch, [&] { return !detail::find_head(parts_->db, key); });
  co_return;
}

std::optional<std::vector<std::byte>> state_store::read(checkpoint_key const& of, std::string_view operator_id, std::string_view key) {
  std::lock_guard const held(parts_->lock);
  parts_->db.need_readable();
  return detail::find_entry(parts_->db, of, operator_id, key);
}

void state_store::each(checkpoint_key const& of, std::string_view operator_id,
                       std::function<void(std::string_view, std::span<std::byte const>)> const& f) {
  std::lock_guard const held(parts_->lock);
  parts_->db.need_readable();
  detail::each_entry(parts_->db, of, operator_id, f);
}

}  // namespace weir::rocksdb
