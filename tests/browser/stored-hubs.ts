import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deserialize } from 'node:v8'

type Row = Readonly<Record<string, unknown>>
type Kv = (key: string) => unknown

/** What a runtime has on disk under its data folder, read beside the process that runs on it. */
export const useStoredState = (data: string) => ({
  /** Kinds of the entries in the hub outbox. */
  outbox: (): string[] => {
    const [file = ''] = filesOf(data, 'd1').filter((name) => !name.endsWith('metadata.sqlite'))
    return readRows(file, 'select kind, op from hub_outbox order by id').map(({ kind, op }) => `${kind} ${op}`)
  },
  /** Documents of the routers whose hubs hold one, by the router's name. */
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

const filesOf = (data: string, kind: string): string[] => globSync(join(data, `state/${kind}/*/*.sqlite`))

function readHubs<T>(data: string, hubClass: string, read: (kv: Kv) => readonly T[]): T[] {
  const files = filesOf(data, 'do').filter(
    (name) => name.includes(`-${hubClass}/`) && !name.endsWith('metadata.sqlite'),
  )
  return files.flatMap((file) => {
    const values = new Map(readKv(file))
    return read((key) => {
      const value = values.get(key)
      return value && deserialize(value)
    })
  })
}

/** Keys and values of a hub; none of one that has deleted itself. */
function readKv(file: string): (readonly [string, Uint8Array])[] {
  const isEmpty = readRows(file, "select 1 from sqlite_master where name = '_cf_KV'").length === 0
  const rows = isEmpty ? [] : readRows(file, 'select key, value from _cf_KV')
  return rows.map(({ key, value }) => [String(key), value as Uint8Array])
}

function readRows(file: string, sql: string): Row[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    return db.prepare(sql).all() as Row[]
  } finally {
    db.close()
  }
}
