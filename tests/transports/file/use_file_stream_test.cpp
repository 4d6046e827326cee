#include <weir/file/use_file_stream.hpp>

#include <weir/application.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/run.hpp>

#include "read_file.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

task<> first_fields(stream<file::record> records, std::vector<std::string>* out) {
  while (file::record* const r = co_await records.next()) out->emplace_back(r->field(0));
}

}  // namespace

TEST_CASE("an application reads files, and goes on behind its last record when they have grown") {
  temporary_folder const folder;
  auto const path = folder / "x.ndjson";
  write(path, "{\"a\":1}\n{\"a\":2}\n");
  auto const store = std::make_shared<memory_state_store>();
  std::vector<std::string> seen;
  auto const run_once = [&] {
    application app(settings{.checkpoints = store});
    app.use_file_stream({.paths = {path}, .format = file::format::ndjson, .fields = {"a"}}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<file::record> records, cancellation) { return first_fields(std::move(records), &seen); });
    });
    testing::run(app.serve());
  };
  run_once();
  CHECK(seen == std::vector<std::string>{"1", "2"});
  run_once();
  append(path, "{\"a\":3}\n");
  run_once();
  CHECK(seen == std::vector<std::string>{"1", "2", "3"});
}

TEST_CASE("an application refuses file options when it is built") {
  application app;
  auto const nothing = [](auto& pipeline) { pipeline.use_stream([](stream<file::record>, cancellation) -> task<> { co_return; }); };
  fails_with(errc::invalid_option, [&] { app.use_file_stream({}, nothing); }, "file: cannot use paths");
}
