#pragma once
#include <weir/position.hpp>
#include <weir/predecessor.hpp>
#include <weir/source.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// What a source says of partitions that go on in others, whatever its elements are.
class succession {
public:
  virtual ~succession() = default;
  virtual std::vector<predecessor> predecessors(std::string const& partition) const = 0;
  virtual bool owns(std::string const& partition, std::string_view partition_key) const = 0;
  virtual std::vector<std::string> heirs(std::string const& partition) const = 0;
  virtual std::optional<position> end_of(std::string const& partition) const = 0;
};

// Null: the source does not know.
template <class R> std::shared_ptr<succession const> succession_by(std::shared_ptr<source<R>> from);

template <class R> class succession_of final : public succession {
public:
  explicit succession_of(std::shared_ptr<source<R>> from) : source_(std::move(from)) {}
  std::vector<predecessor> predecessors(std::string const& partition) const override { return source_->predecessors(partition); }
  bool owns(std::string const& partition, std::string_view partition_key) const override { return source_->owns(partition, partition_key); }
  std::vector<std::string> heirs(std::string const& partition) const override { return source_->heirs(partition); }
  std::optional<position> end_of(std::string const& partition) const override { return source_->end_of(partition); }

private:
  std::shared_ptr<source<R>> source_;
};

template <class R> std::shared_ptr<succession const> succession_by(std::shared_ptr<source<R>> from) {
  if (!from->knows_heirs()) return nullptr;
  return std::make_shared<succession_of<R>>(std::move(from));
}

}  // namespace weir::detail
