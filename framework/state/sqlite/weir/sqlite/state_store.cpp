#include <weir/sqlite/state_store.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/detail/state_tables.hpp>
#include <weir/sqlite/write.hpp>

#include <mutex>
#include <utility>

namespace weir::sqlite {

struct state_store::parts {
  parts(std::filesystem::path file, std::chrono::milliseconds busy_timeout)
      : db(open_state_file(std::move(file), busy_timeout)), tables(db) {}

  std::mutex lock;
  database db;
  state_tables tables;
};

state_store::state_store(std::filesystem::path file, std::chrono::milliseconds busy_timeout)
    : parts_(std::make_unique<parts>(std::move(file), busy_timeout)) {}
state_store::~state_store() = default;

task<std::optional<saved_checkpoint>> state_store::load(checkpoint_key key) {
  std::lock_guard const held(parts_->lock);
  reading const one_moment(parts_->db);
  auto row = parts_->tables.find(key);
  if (!row) co_return std::nullopt;
  std::vector<state_entry> entries = parts_->tables.entries_of(*row);
  co_return saved_checkpoint(std::move(row->head), std::move(entries));
}

task<> state_store::commit(checkpoint_key key, checkpoint_update update) {
  auto const writes = weir::detail::writes_for<write>(*this, key, update);
  std::lock_guard const held(parts_->lock);
  transaction all(parts_->db);
  auto const before = parts_->tables.find(key);
  if (weir::detail::judge_commit(key, update, before ? &before->head : nullptr) == weir::detail::commit_verdict::arrived) co_return;
  std::int64_t const id = parts_->tables.write_head(key, update.head, before ? &*before : nullptr);
  for (state_change const& c : update.changes) parts_->tables.write(id, c);
  for (auto const& w : writes) w->apply(parts_->db);
  all.commit();
}

task<std::vector<checkpoint_listing>> state_store::list(std::string pipeline) {
  std::lock_guard const held(parts_->lock);
  reading const one_moment(parts_->db);
  std::vector<checkpoint_listing> all;
  for (checkpoint_row& row : parts_->tables.find_all(pipeline)) all.push_back(parts_->tables.listing_of(std::move(row)));
  co_return all;
}

task<std::vector<checkpoint_key>> state_store::keys() {
  std::lock_guard const held(parts_->lock);
  reading const one_moment(parts_->db);
  co_return parts_->tables.keys();
}

task<> state_store::erase(checkpoint_key key) {
  std::lock_guard const held(parts_->lock);
  transaction all(parts_->db);
  parts_->tables.erase(key);
  all.commit();
  co_return;
}

void state_store::in_transaction(std::function<void(database&)> const& f) {
  std::lock_guard const held(parts_->lock);
  transaction all(parts_->db);
  f(parts_->db);
  all.commit();
}

}  // namespace weir::sqlite
