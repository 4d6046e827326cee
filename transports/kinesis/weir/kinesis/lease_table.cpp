#include <weir/kinesis/lease_table.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/detail/lease_attributes.hpp>
#include <weir/kinesis/lease_request.hpp>
#include <weir/kinesis/lease_row.hpp>

#include <utility>

namespace weir::kinesis {
namespace {

using dynamodb::attribute_value;
using dynamodb::item;

[[noreturn]] void refuse(lease_row_fault fault, item const& row, std::string const& table) {
  error e(weir::errc::corrupt, "kinesis: cannot read a lease", std::string(to_string(fault)), "is it the lease table of this application?");
  e.with_detail("table " + table);
  auto const* const key = dynamodb::find(row, detail::lease_key);
  if (std::string const* const text = key ? key->as_string() : nullptr) e.with_partition(*text);
  throw e;
}

task<> create(dynamodb::client calls, std::string name) {
  std::optional<dynamodb::table_status> found = co_await calls.describe_table(name);
  if (!found) {
    dynamodb::table_definition table(name, dynamodb::key_attribute(detail::lease_key));
    co_await calls.create_table(table);
  }
  if (!found || !found->usable()) found = co_await calls.wait_until_usable(name);
  if (found->hash.name == detail::lease_key && found->hash.type == dynamodb::key_type::string && found->range.name.empty()) co_return;
  throw error(weir::errc::incompatible, "kinesis: cannot use the lease table", "its key is not leaseKey alone",
              "give the application another name")
      .with_detail("table " + name);
}

task<lease_scan> read_all(dynamodb::client calls, std::string name) {
  lease_scan out;
  dynamodb::scan_request r(name);
  do {
    dynamodb::page page = co_await calls.scan(r);
    for (item const& row : page.items) {
      auto found = read_lease(row);
      if (found) out.leases.push_back(*std::move(found));
      else if (found.error() == lease_row_fault::other_entity) ++out.others;
      else refuse(found.error(), row, name);
    }
    r.from = std::move(page.next);
  } while (!r.from.empty());
  co_return out;
}

task<dynamodb::write_outcome> send(dynamodb::client calls, lease_request r) {
  if (auto* const put = std::get_if<dynamodb::put_request>(&r)) return calls.put(std::move(*put));
  if (auto* const update = std::get_if<dynamodb::update_request>(&r)) return calls.update(std::move(*update));
  return calls.erase(std::move(std::get<dynamodb::delete_request>(r)));
}

task<lease_write_result> write_one(dynamodb::client calls, lease_write w, std::string name) {
  lease_request request = to_request(w, name);
  dynamodb::write_outcome outcome = co_await send(calls, std::move(request));
  lease_write_result out;
  out.done = outcome.done;
  if (out.done) co_return out;
  std::optional<item> row = std::move(outcome.found);
  if (!row) {
    item key;
    key.emplace(detail::lease_key, attribute_value::string(w.key()));
    row = co_await calls.get(name, std::move(key));
  }
  if (!row) co_return out;
  auto found = read_lease(*row);
  if (!found) refuse(found.error(), *row, name);
  out.stored = *std::move(found);
  co_return out;
}

}  // namespace

task<> lease_table::create_if_missing() const { return create(calls_, name_); }
task<lease_scan> lease_table::scan() const { return read_all(calls_, name_); }
task<lease_write_result> lease_table::write(lease_write w) const { return write_one(calls_, std::move(w), name_); }

}  // namespace weir::kinesis
