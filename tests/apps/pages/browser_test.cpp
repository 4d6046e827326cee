// The live page and the page of ticks in a browser without a screen: what a user sees, and what his browser complains of.
#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/sleep.hpp>
#include <weir/status/server.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/keeping_in.hpp"
#include "support/npm_package.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::child_program;

namespace {

// What a script may use: `open(path, scheme)` gives a page whose complaints are collected, `until(page, f)` waits for at most 20 s until
// f(), in the page, is true, and gives the ms that it took.
constexpr char const* beginning = R"js(
const puppeteer = require('puppeteer-core'), fs = require('fs');
const [, base, pictures] = process.argv, axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'), complaints = [];
const end = (text) => { console.log(text); process.exit(0); };
async function until(page, f) {
  const began = Date.now();
  await page.waitForFunction(f, { timeout: 20000, polling: 50 });
  return Date.now() - began;
}
async function check(page, name) {
  await page.screenshot({ path: pictures + '/' + name + '.png' });
  const found = await page.evaluate(axe + '; axe.run()');
  for (const v of found.violations)
    if (['serious', 'critical'].includes(v.impact)) complaints.push(name + ': ' + v.id + ' ' + v.nodes[0].html);
}
(async () => {
  const browser = await puppeteer.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  const open = async (path, scheme) => {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    page.on('console', (m) => { if (['error', 'warn'].includes(m.type())) complaints.push(path + ': ' + m.text()); });
    page.on('pageerror', (e) => complaints.push(path + ': ' + e.message));
    await page.goto(base + path);
    return page;
  };
)js";
constexpr char const* ending = R"js(
  await browser.close();
  end(complaints.length ? complaints.join('; ') : 'well');
})().catch((e) => end(String(e)));
)js";

// Both pages, in light and dark: figures move, candles are drawn.
constexpr char const* look_at_ticks = R"js(
  for (const scheme of ['light', 'dark']) {
    const pipeline = await open('/', scheme), text = (id) => pipeline.evaluate((i) => document.getElementById(i).textContent, id);
    await until(pipeline, () => /\d.*\/s/.test(document.querySelector('#flow .edge')?.textContent ?? ''));
    const before = await text('counts');
    await pipeline.waitForFunction((b) => document.getElementById('counts').textContent !== b, { timeout: 20000 }, before);
    if (await text('health') !== 'running') complaints.push('the pipeline is ' + await text('health'));
    await until(pipeline, () => document.querySelectorAll('#throughput canvas').length === 1);
    await check(pipeline, 'pipeline-' + scheme);
    const ticks = await open('/ticks', scheme), clock = await ticks.evaluate(() => document.getElementById('clock').textContent);
    await ticks.waitForFunction((b) => document.getElementById('clock').textContent !== b, { timeout: 20000 }, clock);
    await until(ticks, () => document.querySelectorAll('#chart canvas').length > 0 && document.querySelectorAll('#symbols li').length === 20);
    await ticks.focus('#symbols li:nth-child(3) button');
    const third = await ticks.evaluate(() => document.activeElement.dataset.symbol);
    await ticks.keyboard.press('Enter');
    await ticks.waitForFunction((s) => document.getElementById('symbol').textContent === s, { timeout: 20000 }, third);
    await until(ticks, () => document.getElementById('last').textContent.includes('close'));
    await check(ticks, 'ticks-' + scheme);
    await pipeline.close();
    await ticks.close();
  }
)js";

// The page stays open while the program is ended and started again; the test does that when it reads a line.
constexpr char const* through_a_restart = R"js(
  const page = await open('/', 'light');
  await until(page, () => document.getElementById('health').textContent === 'running');
  console.log('stop');
  await until(page, () => document.getElementById('health').textContent === 'disconnected');
  console.log('start');
  await until(page, () => document.getElementById('health').textContent === 'running');
  complaints.length = 0;  // of the connections that were refused meanwhile
)js";

constexpr char const* at_a_stall = R"js(
  const page = await open('/', 'light');
  await until(page, () => document.getElementById('causes').textContent.includes('partition 0 is stalled: its handler has not asked for more'));
  await until(page, () => document.querySelector('#rows tr.stalled') !== null);
  if (!(await page.evaluate(() => document.getElementById('health').dataset.state === 'bad'))) complaints.push('it does not say that it is bad');
  await check(page, 'stalled');
)js";

class browser {
public:
  // Null, and the test is reported as skipped, where there is none.
  static std::optional<browser> find() {
    auto const puppeteer = test::npm_package("puppeteer-core", "25.16.0"), axe = test::npm_package("axe-core", "4.14.1");
    if (!std::filesystem::exists("/usr/bin/chromium") || !puppeteer || !axe) {
      test::skip("needs chromium, and puppeteer-core and axe-core from npm");
      return std::nullopt;
    }
    if (!test::program_of("WEIR_TICKS_BINARY") && test::skip("WEIR_TICKS_BINARY names no program")) return std::nullopt;
    return browser((*puppeteer / "node_modules").string() + ':' + (*axe / "node_modules").string());
  }
  std::unique_ptr<child_program> run(std::string const& script, std::string const& address) const {
    char const* const kept = std::getenv("WEIR_SCREENSHOTS");
    std::string const pictures = kept != nullptr ? kept : folder_->path().string();
    std::filesystem::create_directories(pictures);
    std::vector<std::string> const command{"/usr/bin/node", "-e", beginning + script + ending, address, pictures};
    return std::make_unique<child_program>(folder_->path(), command, std::vector<std::string>{"NODE_PATH=" + modules_});
  }

private:
  explicit browser(std::string modules) : modules_(std::move(modules)), folder_(std::make_unique<test::temporary_folder>()) {}
  std::string modules_;
  std::unique_ptr<test::temporary_folder> folder_;
};

// `ticks` of a market without end.
class running_ticks {
public:
  explicit running_ticks(std::string const& port) { start(port); }
  void start(std::string const& port) {
    std::vector<std::string> const command{"/bin/sh",
                                           "-c",
                                           "exec \"$0\" \"$@\" 2>&1",
                                           test::program_of("WEIR_TICKS_BINARY").value(),
                                           "--status",
                                           port,
                                           "--count",
                                           "0",
                                           "--speed",
                                           "60",
                                           "--show",
                                           "0",
                                           "--bars",
                                           "bars"};
    program_.emplace(folder_.path(), command);
    std::string const mark = "watch it at ", behind = "/ticks";
    std::string line = program_->read_line();
    while (!line.empty() && !line.starts_with(mark)) line = program_->read_line();
    REQUIRE(line.ends_with(behind));
    address_ = line.substr(mark.size(), line.size() - mark.size() - behind.size());
  }
  void kill() { program_.reset(); }
  std::string const& address() const noexcept { return address_; }

private:
  test::temporary_folder folder_;
  std::optional<child_program> program_;
  std::string address_;
};

}  // namespace

TEST_CASE("pages show a running program to people, keyboards and screen readers, and the browser complains of nothing", "[pages]") {
  auto const chromium = browser::find();
  if (!chromium) return;
  running_ticks const ticks("0");
  CHECK(chromium->run(look_at_ticks, ticks.address())->read_line() == "well");
}

TEST_CASE("a page that is open survives a restart of the program", "[pages]") {
  auto const chromium = browser::find();
  if (!chromium) return;
  running_ticks ticks("0");
  std::string const address = ticks.address(), port = address.substr(address.rfind(':') + 1);
  auto const script = chromium->run(through_a_restart, address);
  CHECK(script->read_line() == "stop");
  ticks.kill();
  CHECK(script->read_line() == "start");
  ticks.start(port);
  CHECK(script->read_line() == "well");
}

TEST_CASE("a partition that is stalled is seen, and why", "[pages]") {
  auto const chromium = browser::find();
  if (!chromium) return;
  status::options any_port;
  any_port.port = 0;
  auto const page = std::make_shared<status::server>(any_port);
  settings s = test::keeping_in(nullptr);
  s.status = page;
  s.stall_after = 1s;
  s.drain_timeout = 100ms;
  application app(std::move(s));
  app.use_memory_stream(testing::script<int>().element(1).wait(1h), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> in, cancellation) -> task<> {
      co_await in.next();
      co_await sleep_for(1h);  // it has what it was given, and does not come back
    });
  });
  std::thread running([&] { app.run(); });
  CHECK(chromium->run(at_a_stall, "http://127.0.0.1:" + std::to_string(page->port()))->read_line() == "well");
  app.stop();
  running.join();
}
