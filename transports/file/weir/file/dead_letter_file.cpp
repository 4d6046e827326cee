#include <weir/file/dead_letter_file.hpp>

#include <weir/file/dead_letter_line.hpp>
#include <weir/file/line_file.hpp>

#include <utility>

namespace weir::file {
namespace {
// Opening cuts off what a crash, or a full disk, has left of a line.
line_file open_letters(std::string const& path) { return line_file(path, "dead letters", R"({"pipeline)"); }
}  // namespace

dead_letter_file::dead_letter_file(std::string path) : path_(std::move(path)) { open_letters(path_); }

task<std::shared_ptr<store_write>> dead_letter_file::take(weir::dead_letter letter) {
  line_file file = open_letters(path_);
  file.add(dead_letter_line(letter));
  file.flush();
  co_return nullptr;
}

}  // namespace weir::file
