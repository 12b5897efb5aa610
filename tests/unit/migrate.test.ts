import { basename } from 'node:path'
import { createClient } from '@libsql/client'
import { describe, expect, it } from 'vitest'
import { migrate, libsqlDatabase } from '#infra/local/migrate.ts'
import { listFiles } from '#tests/support/source-files.ts'

const files = listFiles('migrations', /\.sql$/)
  .map((file) => basename(file))
  .toSorted()

describe('migrations on libSQL', () => {
  it('are applied in order, once, and noted in the register', async () => {
    const client = createClient({ url: 'file::memory:' })
    const db = libsqlDatabase(client)
    expect(await migrate(db)).toEqual(files)
    expect(await migrate(db)).toEqual([])
    const { rows } = await client.execute('SELECT name FROM d1_migrations ORDER BY id')
    expect(rows.map(({ name }) => name)).toEqual(files)
  })

  it('leave nothing behind of a batch that fails', async () => {
    const client = createClient({ url: 'file::memory:' })
    const db = libsqlDatabase(client)
    await migrate(db)
    const statements = ['CREATE TABLE half (id INTEGER)', 'INSERT INTO missing VALUES (1)']
    await expect(db.batch(statements.map((sql) => db.prepare(sql).bind()))).rejects.toThrow('missing')
    const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE name = 'half'")
    expect(rows).toEqual([])
  })
})
