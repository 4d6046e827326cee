// error: destroys an aggregate twice
#include <weir/named_sink.hpp>
#include <weir/task.hpp>

#include <string>

struct bar {
  std::string symbol;
};
bar made();
weir::task<> misuse(weir::named_sink<bar> bars) { co_await bars.write(made()); }
