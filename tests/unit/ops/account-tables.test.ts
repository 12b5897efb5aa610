import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_TABLES, SERVICE_TABLES, targetsOf } from '#db/schema/account-tables.ts'
import { planOf } from '#tests/support/query-plan.ts'
import { MIGRATIONS, databaseAt, listTables } from '#tests/unit/migrations/releases.ts'

// Export and erasure of an account know each table and each column: a new one fails here until it is classified.

const database = databaseAt(MIGRATIONS)
const columnsOf = (table: string) =>
  database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
const words = (text = '') => text.split(' ').filter((word) => word !== '')

const references = (table: string) =>
  database
    .prepare('SELECT "table" AS parent FROM pragma_foreign_key_list(?)')
    .all(table)
    .map(({ parent }) => String(parent))

describe('design 5 · tables of accounts', () => {
  it('each table is one of accounts or of the service', () => {
    const known = [...ACCOUNT_TABLES.map(({ name }) => name), ...Object.keys(SERVICE_TABLES)]
    expect(known.toSorted()).toEqual(listTables(database).toSorted())
    expect(new Set(known).size).toBe(known.length)
  })

  it('one with an account, or with a member or network of one, is no table of the service', () => {
    const reaching = Object.keys(SERVICE_TABLES).filter(
      (name) =>
        columnsOf(name).includes('account_id') || references(name).some((parent) => !(parent in SERVICE_TABLES)),
    )
    expect(reaching).toEqual(['account_erasures', 'pop_nodes'])
  })

  it('each column is exported, secret or internal, and nothing else', () => {
    const wrong = ACCOUNT_TABLES.filter(({ name, exported, secret, internal }) => {
      const classified = [...words(exported), ...words(secret), ...words(internal)].toSorted()
      return classified.join() !== columnsOf(name).toSorted().join()
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('a column that sounds like a secret is not exported', () => {
    const SECRET = /password|secret|sealed|hash|token|credential|challenge|answer$|private|_key$|^key$/
    const KNOWN = ['files.key', 'ldap_configs.ca_key'] // names of files, which open nothing without a signature
    const exported = ACCOUNT_TABLES.flatMap(({ name, exported: list }) => words(list).map((column) => [name, column]))
    const suspicious = exported
      .filter(([, column = '']) => SECRET.test(column))
      .map(([name, column]) => `${name}.${column}`)
    expect(suspicious.filter((column) => !KNOWN.includes(column))).toEqual([])
  })

  it('children stand in front of their parents, so that no deletion has a long cascade', () => {
    const order = ACCOUNT_TABLES.map(({ name }) => name)
    const late = order.flatMap((name, at) =>
      references(name)
        .filter((parent) => order.indexOf(parent) !== -1 && order.indexOf(parent) < at)
        .map((parent) => `${name} behind ${parent}`),
    )
    expect(late).toEqual(['pop_members behind routers']) // the router is a node, of another account
  })

  it('an index finds the rows of an account in each table, and the rows that refer to them', () => {
    const dialect = new SQLiteSyncDialect()
    const scans = ACCOUNT_TABLES.flatMap(({ name, rows }) => {
      const { sql } = dialect.sqlToQuery(rows(1))
      return planOf(`delete from ${name} where ${sql}`).scans.map((scan) => `${name}: ${scan}`)
    })
    expect(scans).toEqual([])
    expect(planOf(dialect.sqlToQuery(targetsOf(1)).sql).scans).toEqual([])
  })
})
