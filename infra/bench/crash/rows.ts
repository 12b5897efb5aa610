import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { StoredDocumentMember, toNetworkRows } from '#domain/network/compile/rows.ts'
import type { StoredSecret } from '#security/network-secret.ts'
import { type Select, readDatabase } from '../read-database.ts'

/* Rows of an account, which the bench of crashes reads from the database on disk. */

/** Rows of a network and its members from which documents are compiled. */
export type NetworkRow = Parameters<typeof toNetworkRows>[0] &
  StoredSecret & {
    readonly name: string
    readonly members: readonly StoredDocumentMember[]
  }

/** A row of the audit log. */
export interface AuditRow {
  readonly call: string
  readonly target: string
  readonly before: unknown
  readonly after: unknown
  readonly requestId: string
}

export type AccountRows = ReturnType<typeof readAccount>

/** Rows of one account and the hub outbox of all accounts, read in one transaction; its audit has all writes in order. */
export const readAccount = (data: string, username: string) =>
  readDatabase(data, (all) => {
    const [account] = all('select id from accounts where username = ?', username)
    const ofAccount = (sql: string) => all(sql, Number(account?.['id']))
    return {
      networks: readNetworks(ofAccount),
      routers: ofAccount(
        `select r.name, r.note, coalesce(s.presence, 'never') as presence
        from routers r left join router_states s on s.router_id = r.id where r.account_id = ? order by r.id`,
      ) as unknown as { name: string; note: string; presence: PresenceState }[],
      audit: ofAccount(
        `select module || '/' || action as call, target, before, after, request_id as requestId
        from audit_logs where account_id = ? order by id`,
      ).map((row) => ({ ...row, before: parse(row['before']), after: parse(row['after']) }) as unknown as AuditRow),
      outbox: all('select kind, op from hub_outbox order by id').map(({ kind, op }) => `${kind} ${op}`),
    }
  })

const parse = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : {})

function readNetworks(ofAccount: (sql: string) => ReturnType<Select>): NetworkRow[] {
  const networks = ofAccount(
    `select id, account_id as accountId, number, name, ciphers, secret, secret_sealed as secretSealed
    from networks where account_id = ? order by id`,
  )
  const members = ofAccount(
    `select m.network_id, r.id as routerId, r.name as routerName, r.router_type as routerType,
      m.member_type as memberType, m.segment_index as segmentIndex, m.host, s.remote_host as remoteHost,
      s.probe_port as probePort, r.static_routes as staticRoutes,
      (select json_group_array(e.value ->> 'ip' || '/' || (e.value ->> 'mask'))
        from json_each(s.interfaces) e where e.value ->> 'role' = 'lan' and e.value ->> 'ip' <> '') as lans
    from network_members m join routers r on r.id = m.router_id left join router_states s on s.router_id = r.id
    where m.account_id = ? order by m.id`,
  )
  const settings = ofAccount('select network_id, setting, value, revision from network_settings where account_id = ?')
  const memberSettings = ofAccount(
    'select network_id, router_id as routerId, setting, value, revision from member_settings where account_id = ?',
  )
  return networks.map((network) => {
    const own = (rows: typeof members) => rows.filter((row) => row['network_id'] === network['id'])
    const lists = { members: own(members), settings: own(settings), memberSettings: own(memberSettings) }
    return { ...network, ...lists } as unknown as NetworkRow
  })
}
