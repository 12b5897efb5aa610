import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { selectRouter } from '../../../durable/router-hub/database.ts'
import { canonicalJson, compileRouter } from '../../../worker/domain/network/compile.ts'
import { db, run } from '../../support/libsql.ts'

const toLinkKey = (secret: string, link: string) =>
  createHash('sha256')
    .update(secret + link)
    .digest('hex')

/** Documents of the hardware routers of an account, by their hubs. */
export type Documents = ReadonlyMap<string, string>

/**
 * Compiled from an account's rows as they are. `named` leaves nobody out: a write may notify those whose document names a
 * disabled member or a withdrawn network, although their document stays as it is.
 */
export async function compileAll(accountId: number): Promise<{ documents: Documents; named: Documents }> {
  const rows = await run(
    `select n.number, n.secret, n.ciphers, n.withdrawn, r.id, r.name, r.router_type, r.status, m.member_type,
       m.segment_index, m.host
     from network_members m join networks n on n.id = m.network_id join routers r on r.id = m.router_id
     where m.account_id = ?`,
    [accountId],
  )
  const hardware = await run('select hub, name from routers where account_id = ? and router_type = 1', [accountId])
  const isUsed = (row: Row) => row['withdrawn'] === 0 && (row['router_type'] === 1 || row['status'] === 1)
  return { documents: compile(hardware, rows.filter(isUsed)), named: compile(hardware, rows) }
}

export const documents = async (accountId: number): Promise<Documents> => (await compileAll(accountId)).documents

type Row = Awaited<ReturnType<typeof run>>[number]

function compile(hardware: readonly Row[], rows: readonly Row[]): Documents {
  const networks = [...new Set(rows.map((row) => String(row['number'])))].map((networkNumber) => {
    const members = rows.filter((row) => row['number'] === networkNumber)
    return {
      networkNumber,
      ciphers: members[0]?.['ciphers'] as 'default' | 'sm',
      secret: String(members[0]?.['secret']),
      members: members.map((row) => ({
        routerName: String(row['name']),
        routerType: row['router_type'] as 1 | 2,
        memberType: row['member_type'] as 'center' | 'point',
        segmentIndex: row['segment_index'] as number | null,
        host: Number(row['host']),
        endpoint: null,
      })),
    }
  })
  return new Map(
    hardware.map(({ hub, name }) => {
      const own = networks.filter((n) => n.members.some((m) => m.routerName === name))
      return [String(hub), canonicalJson(compileRouter(String(name), own, toLinkKey))]
    }),
  )
}

/** The document of one router from the few rows that its hub selects. A point selects itself and its centres. */
export async function compileSelected(hub: string): Promise<string> {
  const { router, members: all } = await selectRouter(db, hub)
  const members = all.filter(({ withdrawn }) => withdrawn === 0)
  const networks = [...new Set(members.map(({ number }) => number))].map((networkNumber) => {
    const rows = members.filter(({ number }) => number === networkNumber)
    const self = rows.find(({ routerName }) => routerName === router!.name)!
    const needed = rows.filter((row) => row === self || row.memberType === 'center' || self.memberType === 'center')
    expect(rows).toEqual(needed)
    return {
      networkNumber,
      ciphers: self.ciphers,
      secret: self.secret,
      members: rows.map((row) => ({ ...row, routerType: row.routerType as 1 | 2, endpoint: null })),
    }
  })
  return canonicalJson(compileRouter(router!.name, networks, toLinkKey))
}
