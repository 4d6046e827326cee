// error: a topic needs a weir::codec
#include <weir/memory_sender.hpp>
#include <weir/topic.hpp>

#include <memory>
#include <string>
#include <utility>

class bar {  // no aggregate, whose parts would tell
public:
  explicit bar(std::string symbol) : symbol_(std::move(symbol)) {}

private:
  std::string symbol_;
};
weir::topic<bar> misuse() { return weir::topic<bar>(std::make_shared<weir::memory_sender>()); }
