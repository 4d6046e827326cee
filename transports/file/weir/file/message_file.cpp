#include <weir/file/message_file.hpp>

#include <weir/file/line_file.hpp>
#include <weir/file/message_line.hpp>

#include <utility>

namespace weir::file {
namespace {
// Opening cuts off what a crash, or a full disk, has left of a line.
line_file open_messages(std::string const& path) { return line_file(path, "messages", R"({"pipeline)"); }
}  // namespace

message_file::message_file(std::string path) : path_(std::move(path)) { open_messages(path_); }

task<> message_file::send(std::vector<message> batch) {
  line_file file = open_messages(path_);
  for (message const& m : batch) file.add(message_line(m));
  file.flush();
  co_return;
}

}  // namespace weir::file
