#include <weir/read_through.hpp>

#include <weir/error.hpp>

namespace weir {

read_through::read_through(committed_entries const* from, std::string_view who, std::string_view line, std::string_view operator_id,
                           std::uint64_t barrier)
    : from_(from), id_(line), passing_(barrier) {
  if (!from || !from->reader()) {
    throw error(errc::misuse, std::string(who) + ": cannot keep a part of its state outside memory",
                "the store of checkpoints cannot read single entries",
                "keep checkpoints in rocksdb::state_store, or leave working_set out");
  }
  id_ += operator_id;
  id_ += read_through_suffix;
}

std::optional<std::vector<std::byte>> read_through::read(std::string_view key) const {
  return from_->reader()->read(from_->key(), id_, key);
}

void read_through::each(std::function<void(std::string_view, std::span<std::byte const>)> const& f) const {
  from_->reader()->each(from_->key(), id_, f);
}

}  // namespace weir
