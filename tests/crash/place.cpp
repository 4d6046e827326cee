#include "crash/place.hpp"

#include <libpq-fe.h>
#include <sqlite3.h>

#include <algorithm>
#include <stdexcept>

namespace weir::test {
namespace {

class file_place final : public place {
public:
  std::string name() const override { return folder_.file("results"); }
  std::vector<std::string> rows(std::string const& sql) const override {
    std::vector<std::string> found;
    sqlite3* db = nullptr;
    if (sqlite3_open_v2(name().c_str(), &db, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
      auto const add = [](void* out, int columns, char** values, char**) {
        std::string row;
        for (int i = 0; i != columns; ++i) row += (i ? "," : "") + std::string(values[i] ? values[i] : "NULL");
        static_cast<std::vector<std::string>*>(out)->push_back(row);
        return 0;
      };
      sqlite3_exec(db, sql.c_str(), add, &found, nullptr);
    }
    sqlite3_close(db);
    std::sort(found.begin(), found.end());
    return found;
  }
  void note_writes(std::string const& table, std::string const& columns) const override {
    std::string sql = "CREATE TABLE said AS SELECT " + columns + " FROM " + table + " WHERE false;";
    for (std::string const what : {"INSERT", "UPDATE"})
      sql += "CREATE TRIGGER say_" + what + " AFTER " + what + " ON " + table + " BEGIN INSERT INTO said SELECT " + columns + " FROM " +
             table + " WHERE rowid = new.rowid; END;";
    sqlite3* db = nullptr;
    bool const done = sqlite3_open_v2(name().c_str(), &db, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK &&
                      sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    std::string const why = done ? "" : sqlite3_errmsg(db);
    sqlite3_close(db);
    if (!done) throw std::runtime_error(why);
  }
};

class connected {
public:
  explicit connected(std::string const& conninfo) : to_(PQconnectdb(conninfo.c_str())) {
    if (PQstatus(to_) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(to_));
  }
  connected(connected const&) = delete;
  connected& operator=(connected const&) = delete;
  ~connected() { PQfinish(to_); }

  std::vector<std::string> rows(std::string const& sql) const {
    PGresult* const r = PQexec(to_, sql.c_str());
    std::vector<std::string> found;
    for (int at = 0; at != PQntuples(r); ++at) {
      std::string row;
      for (int i = 0; i != PQnfields(r); ++i) row += (i ? "," : "") + std::string(PQgetisnull(r, at, i) ? "NULL" : PQgetvalue(r, at, i));
      found.push_back(row);
    }
    PQclear(r);
    std::sort(found.begin(), found.end());
    return found;
  }
  void command(std::string const& sql) const {
    PGresult* const r = PQexec(to_, sql.c_str());
    bool const done = PQresultStatus(r) == PGRES_COMMAND_OK;  // of the last one
    PQclear(r);
    if (!done) throw std::runtime_error(PQerrorMessage(to_));
  }

private:
  PGconn* to_;
};

class server_place final : public place {
public:
  explicit server_place(postgres_server& in) : server_(in), database_("round_" + std::to_string(++number)) {
    connected(server_.conninfo()).command("CREATE DATABASE " + database_);
  }
  ~server_place() override {
    try {
      connected(server_.conninfo()).command("DROP DATABASE " + database_ + " WITH (FORCE)");
    } catch (std::exception const&) {
      // The server goes with its folder.
    }
  }
  std::string name() const override { return "postgres:" + conninfo(); }
  std::vector<std::string> rows(std::string const& sql) const override { return connected(conninfo()).rows(sql); }
  void note_writes(std::string const& table, std::string const& columns) const override {
    connected(conninfo())
        .command("CREATE TABLE said AS SELECT " + columns + " FROM " + table +
                 " WHERE false;"
                 "CREATE FUNCTION say() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO said SELECT " +
                 columns + " FROM (SELECT new.*) AS written; RETURN NULL; END$$;" + "CREATE TRIGGER say AFTER INSERT OR UPDATE ON " +
                 table + " FOR EACH ROW EXECUTE FUNCTION say()");
  }

private:
  std::string conninfo() const { return server_.conninfo("dbname=" + database_); }

  inline static int number = 0;
  postgres_server& server_;
  std::string database_;
};

}  // namespace

std::unique_ptr<place> sqlite_place() { return std::make_unique<file_place>(); }
std::unique_ptr<place> postgres_place(postgres_server& in) { return std::make_unique<server_place>(in); }

}  // namespace weir::test
