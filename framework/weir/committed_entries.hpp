#pragma once
#include <weir/entry_reader.hpp>
#include <weir/state_store.hpp>

#include <cstdint>
#include <utility>

namespace weir {

/// What of a pipeline's state is in the store by now: the checkpoint whose entries operators may read, and which barriers it has. A barrier
/// that has passed an operator is not in it until its commit has returned. Strand only.
class committed_entries {
public:
  /// `r`: null where the store cannot read single entries.
  committed_entries(entry_reader* r, checkpoint_key k) : reader_(r), key_(std::move(k)) {}
  committed_entries(committed_entries const&) = delete;
  committed_entries& operator=(committed_entries const&) = delete;

  entry_reader* reader() const noexcept { return reader_; }
  checkpoint_key const& key() const noexcept { return key_; }
  /// Barriers are numbered from 1 as they are sent. 0: none of this run is committed.
  std::uint64_t newest() const noexcept { return newest_; }
  /// For the host: a commit that has these barriers has returned.
  void committed(std::uint64_t barrier) noexcept { newest_ = barrier; }

private:
  entry_reader* reader_;
  checkpoint_key key_;
  std::uint64_t newest_ = 0;
};

}  // namespace weir
