#include "answers.hpp"

namespace nexmark::test {
namespace {

// Times are nanoseconds, windows are those of the definition's SQL; its text is written anew for a batch.
constexpr char const* script = R"js(
const s = 1000000000n
const wins = `(SELECT a.id, a.seller, a.category, a.expires, arg_min(b.bidder, (-b.price, b.time, b.n)) AS bidder, max(b.price) AS price,
                 arg_min(b.time, (-b.price, b.time, b.n)) AS time, (SELECT 1) AS one
               FROM auction a JOIN bid b ON a.id = b.auction AND b.time BETWEEN a.time AND a.expires
               GROUP BY a.id, a.seller, a.category, a.expires)`
const firsts = `(SELECT id, min(n) AS seen FROM (SELECT id, n FROM auction UNION ALL SELECT auction, n FROM bid) GROUP BY id)`
const hop = (size, slide) => `
  WITH counts AS (SELECT auction, w, count(*) AS c
                  FROM (SELECT auction, unnest(range(time // ${slide} * ${slide} - ${size} + ${slide}, time + 1, ${slide})) AS w FROM bid)
                  GROUP BY auction, w)
  SELECT w + ${size}, auction, c FROM counts WHERE (w, c) IN (SELECT (w, max(c)) FROM counts GROUP BY w)`
const queries = {
  q0: `SELECT auction, bidder, price, time FROM bid`,
  q1: `SELECT auction, bidder, price * 908, time FROM bid`,
  q2: `SELECT auction, price FROM bid WHERE auction % 123 = 0`,
  q3: `SELECT p.id, p.city, p.state, a.id FROM auction a JOIN person p ON a.seller = p.id WHERE a.category = 10 AND p.state IN (1, 2, 3)`,
  q4: `SELECT category, count(*), sum(price) FROM ${wins} GROUP BY category`,
  q5: hop(10n * s, 2n * s),
  q5_minute: hop(60n * s, s),
  q6: `SELECT seller, count(*) OVER w, sum(price) OVER w FROM ${wins} JOIN ${firsts} USING (id)
       WINDOW w AS (PARTITION BY seller ORDER BY expires, seen ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)`,
  q7: `SELECT auction, bidder, price, time FROM bid
       WHERE (time // ${10n * s}, price) IN (SELECT (time // ${10n * s}, max(price)) FROM bid GROUP BY time // ${10n * s})`,
  q8: `SELECT DISTINCT p.id, p.time // ${10n * s} * ${10n * s} FROM person p JOIN auction a
       ON p.id = a.seller AND p.time // ${10n * s} = a.time // ${10n * s}`,
  q9: `SELECT id, seller, category, bidder, price, time FROM ${wins}`,
  q11: `SELECT bidder, min(time), max(time) + ${10n * s}, count(*)
        FROM (SELECT *, sum(new) OVER (PARTITION BY bidder ORDER BY time, n) AS session
              FROM (SELECT *, CASE WHEN time - lag(time) OVER (PARTITION BY bidder ORDER BY time, n) < ${10n * s} THEN 0 ELSE 1 END AS new
                    FROM bid))
        GROUP BY bidder, session`,
  q12: `SELECT bidder, tick // ${10n * s} * ${10n * s}, count(*)
        FROM (SELECT bidder, row_number() OVER (ORDER BY n) * 1000000 AS tick FROM bid) GROUP BY ALL`,
  q13: `SELECT auction, bidder, price, time, value
        FROM bid JOIN (SELECT range AS key, range * range % 9973 AS value FROM range(10000)) ON key = auction % 10000`,
  q17: `SELECT auction, time // ${86400n * s} * ${86400n * s}, count(*), count(*) FILTER (price < 10000),
          count(*) FILTER (price >= 10000 AND price < 1000000), count(*) FILTER (price >= 1000000), min(price), max(price), sum(price)
        FROM bid GROUP BY ALL`,
  q18: `SELECT auction, bidder, price, time FROM bid QUALIFY row_number() OVER (PARTITION BY auction, bidder ORDER BY time DESC, n DESC) = 1`,
  q19: `SELECT auction, row_number() OVER (PARTITION BY auction ORDER BY price DESC, n) AS rank, bidder, price, time FROM bid QUALIFY rank <= 10`,
  q20: `SELECT auction, bidder, price, b.time, seller FROM bid b JOIN auction a ON a.id = b.auction WHERE category = 10`,
}
const {DuckDBInstance} = require('@duckdb/node-api')
const folder = process.argv[1]
;(async () => {
  const db = await (await DuckDBInstance.create(':memory:')).connect()
  const table = (name, columns) => db.run(`CREATE TABLE ${name} AS FROM read_csv('${folder}/${name}.csv', header = false, columns = {` +
                                          columns.map((c) => `'${c}': 'BIGINT'`).join(', ') + `})`)
  await table('person', ['n', 'id', 'time', 'city', 'state'])
  await table('auction', ['n', 'id', 'seller', 'category', 'initial_bid', 'reserve', 'time', 'expires'])
  await table('bid', ['n', 'auction', 'bidder', 'price', 'time', 'channel'])
  for (const [name, sql] of Object.entries(queries)) {
    await db.run(`CREATE TEMP TABLE raw AS ${sql.replace(/^\s*SELECT/, 'SELECT')}`)
    const width = (await db.runAndReadAll(`SELECT count(*)::INTEGER FROM duckdb_columns() WHERE table_name = 'raw'`)).getRows()[0][0]
    const columns = [...Array(width).keys()].map((i) => 'c' + i)
    await db.run(`CREATE TABLE right_${name} AS SELECT ${columns.map((c) => c + '::BIGINT AS ' + c)} FROM raw AS r(${columns})`)
    await table('ours_' + name, columns)
    const rows = async (from) => Number((await db.runAndReadAll(`SELECT count(*) FROM ${from}`)).getRows()[0][0])
    console.log(name, await rows('right_' + name), await rows(`(FROM right_${name} EXCEPT ALL FROM ours_${name})`) +
                await rows(`(FROM ours_${name} EXCEPT ALL FROM right_${name})`))
    await db.run('DROP TABLE raw')
  }
})().catch((e) => console.log('failed:', String(e).replaceAll('\n', ' ')))
)js";

}  // namespace

std::string answers_script() { return script; }

}  // namespace nexmark::test
