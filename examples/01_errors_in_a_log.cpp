// Prints the lines of a log that tell of an error, fifty at a time, and goes on where it stopped when it is started again.
// [readme
#include <weir/file/use_file_stream.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/weir.hpp>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: errors_in_a_log FILE\n", 2;
  weir::application app({.name = "errors", .checkpoints = std::make_shared<weir::sqlite::state_store>("errors.checkpoint")});
  app.use_file_stream({.paths = {argv[1]}}, [](auto& pipeline) {
    pipeline.use_stream([](weir::stream<weir::file::record> records, weir::cancellation) -> weir::task<> {
      auto errors = std::move(records) |
                    weir::filter([](auto const& line) { return line.payload().find("ERROR") != std::string_view::npos; }) |
                    weir::window(50);
      while (auto* some = co_await errors.next()) {
        std::cout << "--- " << some->size() << " errors\n";
        for (auto const& line : *some) std::cout << line.payload() << '\n';
      }  // asking for more is the acknowledgement: the checkpoint moves behind what was printed
    });
  });
  return app.run();  // SIGTERM drains; a crash repeats at most the open fifty
}
// readme]
