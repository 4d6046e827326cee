// Read by check_coroutine_hazards.py --self-test only: each line that has to be refused says so, every other has to pass.
// clang-format off
namespace example {

struct options { std::string name = "x"; int n{1}; };
class holder : public base {
public:
  explicit holder(std::string s) : s_(std::move(s)), n_{3} {}
  task<int> get() const { co_return co_await inner(s_); }
private:
  std::string s_; int n_{0};
};

template <class T> requires std::movable<T> task<T> refuse(std::string s, bool flag, int* p) {
  co_await run([s] { return s; });                                  // refused
  co_await run([s = std::move(s), &flag] { return s; });            // refused
  co_await run([=] { return s; });                                  // refused
  co_await run(source() | map([s](int x) { return x; }));           // refused
  int const x = co_await run(
      [s](int y) {                                                  // refused
        return y + 1;
      });
  co_await f(flag ? a() : b());                                     // refused
  auto v = flag ? co_await a() : co_await b();                      // refused
  co_yield flag ? A() : B();                                        // refused
  co_await f({.a = 1, .s = "x"});                                   // refused
  co_await f(options{});                                            // refused
  std::vector<int> w{co_await a(), co_await b()};                   // refused
  co_yield {1, "ab"};                                               // refused
  auto* t = new Tr(co_await g());                                   // refused
  if (auto r = co_await f(options{1}); r) go();                     // refused
  while (T* e = co_await next([s] { return s; })) go(e);            // refused
  for (int i = 0; i < co_await f({1}); ++i) go();                   // refused
  co_return co_await [s]() -> task<int> { co_return 1; }();         // refused
  auto l = [](int i) -> task<> {
    co_await run([i, s] { return s; });                             // refused
  };
  switch (co_await f(A{1})) { case 1: break; default: co_await g(B{}); }  // refused
}

task<> accept(std::string s, bool flag, std::array<int, 3> a) {
  auto l = [s](int x) { return x; };
  co_await run(std::move(l));
  co_await run([&] { return s; });
  co_await run([&flag, this] { return flag; });
  co_await run([](int x) { return x; });
  auto piped = source() | map([s](int x) { return x; }) | filter([=](int x) { return x > 1; });
  co_await std::move(piped);
  int const n = flag ? 1 : 2;
  co_await f(a[0], a[n]);
  options o{.name = "y"};
  co_await f(std::move(o));
  auto [x, y] = co_await pair();
  auto const& [p, q] = co_await pair();
  auto task_of = [s](int i) -> task<int> { co_return co_await g(i); };
  run([s, flag]() -> task<> { co_await g(1); }, flag ? 1 : 2);
  if (flag) { options k{}; } else { co_await g(2); }
  while (int* e = co_await next()) { consume(options{}, *e, [s] { return s; }); }
  while (int* e = co_await next()) consume(options{}, *e, [s] { return s; });
  for (auto& i : {1, 2, 3}) co_await g(i);
  // weir-hazard: both branches are int
  co_await g(flag ? 1 : 2);
  co_await g(flag ? 1 : 2);  // weir-hazard: both branches are int
  try { co_await g(1); } catch (...) { report(options{}); }
  switch (n) { case 1: co_await g(1); break; case 2: { options k{}; } break; default: co_return; }
  std::string const text = "co_await f(options{}) ? 1 : 2"; // co_await f({})
  co_await g(s.empty() && flag);
  do { co_await g(1); } while (flag);
  struct local { int a{1}; };
  if constexpr (requires { typename local; }) co_await g(1);
  if (flag) co_return;
  else co_yield 3;
  [[maybe_unused]] int z = co_await g(2);
  int m[] = {1, 2};
  auto generic = [s]<class T>(T x) mutable noexcept -> int { return x; };
  co_await g(m[0]);
}

}  // namespace example
