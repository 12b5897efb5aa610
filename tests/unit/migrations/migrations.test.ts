import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS, databaseAt, fill, lostRows, listTables } from './releases.ts'
import { breakingStatements, unsafeStatements } from './unsafe-statements.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** The ordinary way to widen a CHECK in SQLite; wrangler showed a green tick and the members were gone. */
const REBUILD_OF_NETWORKS = `
  PRAGMA defer_foreign_keys = ON;
  CREATE TABLE networks_new AS SELECT * FROM networks;
  DROP TABLE networks;
  ALTER TABLE networks_new RENAME TO networks;`

describe('a database in use', () => {
  it('each migration, applied to the release before with a row in every table, loses none', async () => {
    const offenders = await findOffenders(MIGRATIONS.slice(1).map(({ name }, i) => [name, i + 1] as const))(
      (_, index) => {
        const database = databaseAt(MIGRATIONS.slice(0, index))
        fill(database)
        expect(lostRows(database, MIGRATIONS[index] ?? { name: '', sql: '' })).toEqual([])
      },
    )
    expect(offenders).toEqual([])
  })
  it('of today can be filled, so the next migration will be tried on every table', () => {
    const database = databaseAt(MIGRATIONS)
    fill(database)
    const empty = listTables(database).filter((table) => database.prepare(`SELECT 1 FROM ${table}`).all().length === 0)
    expect(empty).toEqual([])
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  })
  it('that is rebuilt by DROP TABLE loses its members by cascade: this suite detects it', () => {
    const database = databaseAt(MIGRATIONS)
    fill(database)
    expect(lostRows(database, { name: 'rebuild', sql: REBUILD_OF_NETWORKS })).toContain('network_members: 1 → 0')
  })
  it('with a table without sample rows is refused', () => {
    const database = databaseAt([...MIGRATIONS, { name: 'new', sql: 'CREATE TABLE novelties (id INTEGER) STRICT' }])
    expect(() => fill(database)).toThrow('no row for novelties')
  })
})

describe('unsafe statements', () => {
  it('stand in no migration', () => {
    expect(unsafeStatements(MIGRATIONS)).toEqual([])
  })
  it.each([
    ['DROP TABLE networks', 'DROP TABLE networks'],
    ['drop  table if exists "networks"', 'DROP TABLE networks'],
    ['DROP TABLE main.[accounts]', 'DROP TABLE accounts'],
    ['/* a */ DROP -- b\n TABLE `routers`', 'DROP TABLE routers'],
    ['ALTER TABLE networks_new RENAME TO networks', 'RENAME TO'],
    ['ALTER TABLE "announcements" RENAME TO news', 'RENAME TO'],
    ['INSERT OR REPLACE INTO accounts SELECT * FROM accounts', 'REPLACE INTO accounts'],
    ['REPLACE INTO routers SELECT * FROM routers', 'REPLACE INTO routers'],
    ['DELETE FROM networks', 'DELETE FROM networks'],
    ['PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys'],
    ['PRAGMA writable_schema = 1', 'PRAGMA writable_schema'],
    [REBUILD_OF_NETWORKS, 'DROP TABLE networks'],
  ])('%s is one', (sql, problem) => {
    const found = unsafeStatements([...MIGRATIONS, { name: '9999_new.sql', sql }])
    expect(found[0]).toContain('9999_new.sql: ')
    expect(found[0]).toContain(problem)
  })
  it.each([
    'ALTER TABLE networks ADD COLUMN a TEXT',
    'ALTER TABLE networks RENAME COLUMN mode TO way',
    'ALTER TABLE router_states DROP COLUMN config_reason',
    'DROP TABLE outbox',
    'DROP INDEX networks_account',
    'DELETE FROM networks WHERE status = 0',
    'DELETE FROM outbox',
    "INSERT INTO announcements (title, content, release_at) VALUES ('DROP TABLE networks; ''', '', 1)",
    '-- DROP TABLE networks;\nCREATE INDEX a ON networks (name)',
  ])('%s is none', (sql) => {
    expect(unsafeStatements([...MIGRATIONS, { name: '9999_new.sql', sql }])).toEqual([])
  })
})

/** Both came before the rule: their release answers messages, or states of routers, only once its Worker is there. */
const KNOWN = [
  '0005_hubs.sql: ALTER TABLE router_states DROP config_stale',
  '0022_messages.sql: ALTER TABLE messages DROP status',
]

describe('statements that the release before cannot live with', () => {
  it('stand in two old migrations, and in no new one: a migration only adds', () => {
    expect(breakingStatements(MIGRATIONS)).toEqual(KNOWN)
  })
  it('of these two are named where a deploy is described', () => {
    const text = readFileSync('infra/docs/deploy.md', 'utf8')
    for (const known of KNOWN) expect(text).toContain(`migrations/${known.split(':')[0]}`)
  })
  it.each([
    ['ALTER TABLE networks DROP COLUMN mode', 'ALTER TABLE networks DROP mode'],
    ['alter table "networks" drop mode', 'ALTER TABLE networks DROP mode'],
    ['ALTER TABLE [networks]\n  RENAME COLUMN mode TO way', 'ALTER TABLE networks RENAME mode'],
    ['ALTER TABLE networks RENAME mode TO way', 'ALTER TABLE networks RENAME mode'],
    ['ALTER TABLE `networks` RENAME TO nets', 'ALTER TABLE networks RENAME TO'],
    ['DROP TABLE outbox', 'DROP TABLE outbox'],
    ['/* a */ drop table if exists main.outbox', 'DROP TABLE outbox'],
    ['DROP VIEW v', 'DROP VIEW v'],
  ])('%s is one', (sql, found) => {
    expect(breakingStatements([{ name: '9999_new.sql', sql }])).toEqual([`9999_new.sql: ${found}`])
  })
  it.each([
    "ALTER TABLE networks ADD COLUMN dropped TEXT NOT NULL DEFAULT ''",
    'CREATE TABLE renames (id INTEGER PRIMARY KEY) STRICT',
    'DROP INDEX networks_account',
    "-- DROP TABLE networks;\nUPDATE networks SET name = 'DROP TABLE networks'",
  ])('%s is none', (sql) => {
    expect(breakingStatements([{ name: '9999_new.sql', sql }])).toEqual([])
  })
})
