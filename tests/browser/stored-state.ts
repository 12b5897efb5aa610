import { globSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { readDatabase, readSqlite } from '#infra/bench/read-database.ts'

type Kv = (key: string) => unknown

/** State of a runtime on disk, read while its process runs or after its end. */
export const useStoredState = (data: string) => ({
  /** Kinds of the entries in the hub outbox. */
  outbox: (): string[] =>
    readDatabase(data, (all) => all('select kind, op from hub_outbox order by id')).map(
      ({ kind, op }) => `${String(kind)} ${String(op)}`,
    ),
  /** Documents of the routers whose hubs hold one, by the router's name; of a large document the first part. */
  documents: (): ReadonlyMap<string, string> =>
    new Map(
      readHubs(data, 'RouterHub', (kv) => {
        const { routerName } = (kv('router') ?? {}) as { routerName?: string }
        return routerName === undefined ? [] : [[routerName, String(kv('document:0'))] as const]
      }),
    ),
  /** Numbers of the networks whose hubs have read their rows. */
  networks: (): string[] =>
    readHubs(data, 'NetworkHub', (kv) => (kv('number') === undefined ? [] : [String(kv('number'))])),
})

const readHubs = <T>(data: string, hubClass: string, read: (kv: Kv) => readonly T[]): T[] =>
  globSync(join(data, `state/do/*-${hubClass}/*.sqlite`))
    .filter((file) => !file.endsWith('metadata.sqlite'))
    .flatMap((file) => {
      const values = readValues(file)
      return read((key) => {
        const value = values.get(key)
        return value && deserialize(value)
      })
    })

/** Values of a hub by key; none of one that has deleted itself. */
const readValues = (file: string): ReadonlyMap<string, Uint8Array> =>
  readSqlite(file, (all) => {
    const isEmpty = all("select 1 from sqlite_master where name = '_cf_KV'").length === 0
    const rows = isEmpty ? [] : all('select key, value from _cf_KV')
    return new Map(rows.map(({ key, value }) => [String(key), value as Uint8Array]))
  })
