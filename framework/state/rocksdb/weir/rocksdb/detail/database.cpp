#include <weir/rocksdb/detail/database.hpp>

#include <weir/detail/ordered_bytes.hpp>
#include <weir/error.hpp>
#include <weir/rocksdb/detail/failure.hpp>
#include <weir/rocksdb/detail/seal.hpp>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

namespace weir::rocksdb::detail {
namespace {

::rocksdb::Slice slice(std::string_view s) { return {s.data(), s.size()}; }

// RocksDB's own log would be a file beside the data that grows with every opening, and on a full disk Debian's build of RocksDB ends the
// process by an assertion when it cannot be written.
class no_log final : public ::rocksdb::Logger {
public:
  using ::rocksdb::Logger::Logv;
  void Logv(char const*, va_list) override {}
};

constexpr double bloom_bits_per_key = 10;  // one in a hundred is looked for in vain
constexpr std::size_t block_cache_bytes = 16 << 20;

::rocksdb::Options options(std::shared_ptr<::rocksdb::EventListener> sealing = nullptr) {
  ::rocksdb::Options o;
  o.create_if_missing = true;
  // A commit that returned must not be rolled back: a damaged log is an error. (RocksDB's default goes back to before the damage.)
  o.wal_recovery_mode = ::rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  o.track_and_verify_wals_in_manifest = true;
  o.verify_sst_unique_id_in_manifest = true;
  // Operators that read entry by entry ask for many that are not there.
  ::rocksdb::BlockBasedTableOptions tables;
  tables.filter_policy.reset(::rocksdb::NewBloomFilterPolicy(bloom_bits_per_key));
  tables.block_cache = ::rocksdb::NewLRUCache(block_cache_bytes);
  o.table_factory.reset(::rocksdb::NewBlockBasedTableFactory(tables));
  o.memtable_whole_key_filtering = true;
  o.memtable_prefix_bloom_size_ratio = 0.02;
  o.info_log = std::make_shared<no_log>();
  o.max_bgerror_resume_count = 0;  // it is opened again instead, which also says what is on the disk
  if (sealing) o.listeners.push_back(std::move(sealing));
  return o;
}

// What was flushed to tables is gone from the log: from there on only the list of the tables, whose end may be damaged, knows of it.
class seal_flushes final : public ::rocksdb::EventListener {
public:
  explicit seal_flushes(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void OnFlushCompleted(::rocksdb::DB*, ::rocksdb::FlushJobInfo const& job) override { reached(job.largest_seqno); }
  void reached(std::uint64_t sequence) noexcept {
    std::lock_guard const held(lock_);
    if (sequence <= sealed_) return;
    try {
      write_seal(folder_, seal{sequence});
      sealed_ = sequence;
    } catch (error const&) {
      return;  // the one before is good too, for less
    }
  }

private:
  std::filesystem::path folder_;
  std::mutex lock_;
  std::uint64_t sealed_ = 0;
};

struct ::stat status_of(std::filesystem::path const& file) {
  struct ::stat out = {};
  if (::stat(file.c_str(), &out) != 0) out.st_ino = 0;
  return out;
}

void check_sequence(::rocksdb::DB const& db, std::optional<seal> const& sealed, std::filesystem::path const& folder) {
  if (sealed && sealed->sequence <= db.GetLatestSequenceNumber()) return;
  throw error(
      errc::corrupt, "rocksdb: cannot open the database",
      sealed ? "its files end before change " + std::to_string(sealed->sequence) + ", which was on the disk" : "its file WEIR is missing",
      "restore the folder from a backup, or remove it to begin from the start")
      .with_detail(folder.string());
}

}  // namespace

struct write_batch::rep {
  ::rocksdb::WriteBatch batch;
};
write_batch::write_batch() : rep_(std::make_unique<rep>()) {}
write_batch::~write_batch() = default;
// They fail only beyond a limit which is not set.
void write_batch::put(std::string_view key, std::string_view value) { rep_->batch.Put(slice(key), slice(value)).PermitUncheckedError(); }
void write_batch::erase(std::string_view key) { rep_->batch.Delete(slice(key)).PermitUncheckedError(); }
void write_batch::erase_prefix(std::string const& prefix) {
  rep_->batch.DeleteRange(slice(prefix), slice(weir::detail::behind_prefix(prefix))).PermitUncheckedError();
}

struct database::handle {
  explicit handle(std::unique_ptr<::rocksdb::DB> opened) noexcept : db(std::move(opened)) {}
  handle(handle const&) = delete;
  handle& operator=(handle const&) = delete;
  ~handle() {
    std::uint64_t const sequence = db->GetLatestSequenceNumber();
    bool const closed = db->Close().ok();
    if (sealing && closed && sound) sealing->reached(sequence);
  }
  std::unique_ptr<::rocksdb::DB> db;
  std::shared_ptr<seal_flushes> sealing;  // null: for reading only
  bool sound = true;                      // no write has failed
};

struct database::place {
  struct ::stat lock = {};  // of the file LOCK, which RocksDB makes once
};

database::database(std::filesystem::path folder) : folder_(std::move(folder)), place_(std::make_unique<place>()) {
  prepare_folder(folder_);
  open();
  place_->lock = status_of(folder_ / "LOCK");
}
database::~database() = default;

void database::open() {
  handle_.reset();
  auto sealing = std::make_shared<seal_flushes>(folder_);
  auto const before = read_seal(folder_);
  ::rocksdb::DB* opened = nullptr;
  auto const status = ::rocksdb::DB::Open(options(sealing), folder_.string(), &opened);
  if (!status.ok()) fail_to_open(status, folder_);
  std::unique_ptr<::rocksdb::DB> db(opened);
  check_sequence(*db, before, folder_);
  handle_ = std::make_unique<handle>(std::move(db));
  sealing->reached(handle_->db->GetLatestSequenceNumber());
  handle_->sealing = std::move(sealing);
}

void database::open_again() {
  check_in_place();  // or an empty one would be made
  open();
}

void database::need_writable() {
  if (!handle_ || !handle_->sealing) open_again();
}

void database::need_readable() {
  try {
    need_writable();
  } catch (error const& e) {
    if (e.code() != errc::no_space) throw;
    ::rocksdb::DB* opened = nullptr;
    auto const status = ::rocksdb::DB::OpenForReadOnly(options(), folder_.string(), &opened);
    if (!status.ok()) fail_to_open(status, folder_);
    std::unique_ptr<::rocksdb::DB> db(opened);
    check_sequence(*db, read_seal(folder_), folder_);
    handle_ = std::make_unique<handle>(std::move(db));
  }
}

std::optional<std::string> database::get(std::string_view key) {
  std::string value;
  auto const status = handle_->db->Get(::rocksdb::ReadOptions(), slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) fail(status, folder_, "cannot read");
  return value;
}

void database::scan(std::string const& prefix, std::function<bool(std::string_view, std::string_view)> const& each, std::string_view from) {
  std::string const end = weir::detail::behind_prefix(prefix);
  ::rocksdb::Slice const bound(end);
  ::rocksdb::ReadOptions how;
  if (!end.empty()) how.iterate_upper_bound = &bound;
  how.fill_cache = false;
  std::unique_ptr<::rocksdb::Iterator> const at(handle_->db->NewIterator(how));
  for (at->Seek(slice(std::max<std::string_view>(prefix, from))); at->Valid(); at->Next())
    if (!each(at->key().ToStringView(), at->value().ToStringView())) return;
  if (!at->status().ok()) fail(at->status(), folder_, "cannot read");
}

void database::write(write_batch& changes) {
  check_in_place();
  ::rocksdb::WriteOptions how;
  how.sync = true;
  auto const status = handle_->db->Write(how, &changes.rep_->batch);
  if (status.ok()) return;
  handle_->sound = false;
  fail(status, folder_, "cannot write");
}

// RocksDB would go on writing to files which nobody finds any more.
void database::check_in_place() const {
  struct ::stat const now = status_of(folder_ / "LOCK");
  if (now.st_ino == place_->lock.st_ino && now.st_dev == place_->lock.st_dev) return;
  throw error(errc::io, "rocksdb: cannot go on", "the folder was moved or deleted while it was open", "put it back, or start again")
      .with_detail(folder_.string());
}

}  // namespace weir::rocksdb::detail
