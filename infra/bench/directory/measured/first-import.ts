import { readFileSync, readdirSync } from 'node:fs'
import { Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { unstable_splitSqlQuery as splitSql } from 'wrangler'
import { NO_WORK, toPortions } from '../../../../durable/directory-hub/apply.ts'
import type { Writer } from '../../../../durable/directory-hub/member-writes.ts'
import { toPerson } from '../../../../tests/support/directory/people.ts'
import { openDb } from '../../../../worker/db/client.ts'
import { d1Driver } from '../../../../worker/db/driver.ts'
import type { DirectoryEntry } from '../../../../worker/domain/ldap/directory-entry.ts'
import { planRun } from '../../../../worker/domain/ldap/plan.ts'
import { newHubName } from '../../../../worker/security/hub-name.ts'
import type { FirstImport } from '../measures.ts'

const SIGN: Readonly<Record<number, string>> = { 1: 'bench', 2: 'bare' }
const BARE_PORTION = 5_000
const YEAR_MS = 365 * 86_400_000

/**
 * The members of a first run as the hub writes them, against bare INSERTs of as many rows, in one D1: writes what it counts
 * to its output.
 */
const users = Number(process.argv[2])
const options = { modules: true, script: 'export default {}', d1Databases: ['DB'] }
const miniflare = new Miniflare(convertV4MiniflareOptions(options))
try {
  const d1 = (await miniflare.getD1Database('DB')) as unknown as D1Database
  for (const name of readdirSync('migrations').toSorted())
    await d1.batch(splitSql(readFileSync(`migrations/${name}`, 'utf8')).map((text) => d1.prepare(text)))
  const imported: FirstImport = { ...(await importAll(d1)), bareMs: await insertBare(d1) }
  process.stdout.write(JSON.stringify(imported))
} finally {
  await miniflare.dispose()
}

async function importAll(d1: D1Database) {
  const sum = { trips: 0, importMs: 0 }
  const measured = {
    prepare: (text: string) => d1.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      sum.trips++
      const startedAt = performance.now()
      const results = await d1.batch(statements)
      sum.importMs += performance.now() - startedAt
      return results
    },
  } as unknown as D1Database
  const accountId = await insertAccount(d1, 1)
  const writer: Writer = {
    db: openDb(d1Driver(measured)),
    now: Date.now(),
    session: null,
    ip: '',
    requestId: '',
    hubOutbox: [],
    accountId,
    accountHub: newHubName(''),
    sign: SIGN[accountId] ?? '',
    by: null,
  }
  const { added } = planRun({ users: toEntries(), members: [], room: users })
  for (const portion of toPortions({ ...NO_WORK, added }, { network: null, max: users }))
    await portion.write(writer, () => ({}))
  const [row] = await d1.prepare('select count(*) as count from ldap_members').raw<[number]>()
  if (row?.[0] !== users) throw new Error(`${row?.[0]} of ${users} members were imported`)
  return sum
}

async function insertBare(d1: D1Database): Promise<number> {
  const accountId = await insertAccount(d1, 2)
  const rows = toEntries().map(({ username }) => [`${username}@bare`, newHubName('')])
  const insert = d1.prepare(`insert into routers (account_id, name, router_type, password, source, hub, created_at)
    select ${accountId}, value ->> 0, 2, '!', 'ldap', value ->> 1, 0 from json_each(?)`)
  const startedAt = performance.now()
  for (let from = 0; from < users; from += BARE_PORTION)
    await insert.bind(JSON.stringify(rows.slice(from, from + BARE_PORTION))).run()
  return performance.now() - startedAt
}

/** With as many software members as it needs, for a year. */
async function insertAccount(d1: D1Database, id: number): Promise<number> {
  const now = Date.now()
  await d1.batch([
    d1
      .prepare(
        `insert into accounts (id, username, nickname, password, sign, ram_domain, hub, created_at)
         values (?1, ?2, ?2, '!', ?2, ?2, ?2, ?3)`,
      )
      .bind(id, SIGN[id], now),
    d1
      .prepare(
        `insert into services (account_id, kind, name, quantity, start_at, expire_at)
         values (?1, 'software_member', 'bench', ?2, ?3, ?4)`,
      )
      .bind(id, users, now - 1, now + YEAR_MS),
  ])
  return id
}

function toEntries(): DirectoryEntry[] {
  return Array.from({ length: users }, (_, index) => {
    const { uid, dn, name } = toPerson(index)
    return { id: `id-${uid}`, dn, username: uid, displayName: name, description: '', phones: [], isDisabled: false }
  })
}
