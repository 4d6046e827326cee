#include <results/own_transaction.hpp>

#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <iterator>
#include <utility>

namespace results {
namespace {

class transaction_write final : public weir::outside_write {
public:
  transaction_write(std::shared_ptr<database> in, std::vector<statement> all) : in_(std::move(in)), all_(std::move(all)) {}
  weir::task<> write(weir::checkpoint_key, std::uint64_t) override { return run(*in_, all_); }
  bool join(weir::outside_write& later) override {
    auto* const other = dynamic_cast<transaction_write*>(&later);
    if (!other || other->in_ != in_) return false;
    all_.insert(all_.end(), std::make_move_iterator(other->all_.begin()), std::make_move_iterator(other->all_.end()));
    return true;
  }

private:
  static weir::task<> run(database& in, std::vector<statement> all) {
    std::unique_ptr<transaction> const work = co_await in.begin();
    co_await work->run(std::move(all));
    co_await work->commit();
  }

  std::shared_ptr<database> in_;
  std::vector<statement> all_;
};

}  // namespace

std::shared_ptr<weir::outside_write> own_transaction(std::shared_ptr<database> in, std::vector<statement> all) {
  return std::make_shared<transaction_write>(std::move(in), std::move(all));
}

}  // namespace results
