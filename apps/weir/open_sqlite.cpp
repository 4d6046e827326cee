#include "open_store.hpp"

#ifdef WEIR_HAS_SQLITE
#include <weir/error.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>

#include <filesystem>
#include <system_error>

namespace state_tool {
namespace {

[[noreturn]] void refuse(std::string const& file, std::string why, std::string advice) {
  throw weir::error(weir::errc::not_found, "weir: cannot open the store", std::move(why), std::move(advice)).with_detail(file);
}

}  // namespace

found_store open_sqlite(std::string const& file) {
  std::error_code ignored;
  auto const status = std::filesystem::status(file, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse(file, "the file does not exist", "give the path of the checkpoint file of the pipeline");
  if (std::filesystem::is_directory(status)) refuse(file, "it is a folder", "write rocksdb:" + file + " if it is one of RocksDB");
  {
    weir::sqlite::database db(file, weir::sqlite::open_mode::read_only);
    if (db.number("SELECT count(*) FROM sqlite_schema") == 0)  // a store would make its tables in it
      refuse(file, "the database has no tables", "give the path of the checkpoint file of the pipeline");
  }
  return {file, file, std::make_unique<weir::sqlite::state_store>(file)};
}

}  // namespace state_tool
#else
namespace state_tool {
found_store open_sqlite(std::string const&) { refuse_not_built("sqlite"); }
}  // namespace state_tool
#endif
