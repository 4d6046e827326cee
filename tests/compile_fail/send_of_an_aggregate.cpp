// error: destroys an aggregate twice
#include <weir/stream_context.hpp>
#include <weir/task.hpp>

#include <string>

struct bar {
  std::string symbol;
};
bar made();
weir::task<> misuse(weir::stream_context& context) { co_await context.send("bar:closed", made()); }
