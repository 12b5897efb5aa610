import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { StoredDocumentMember, toNetworkRows } from '#domain/network/compile/rows.ts'
import { type Select, readDatabase } from '../database.ts'

interface MemberRow extends StoredDocumentMember {
  readonly status: 0 | 1
}

/** Everything of a network and its members from which documents are compiled. */
export type NetworkRow = Parameters<typeof toNetworkRows>[0] & {
  readonly hub: string
  readonly name: string
  readonly revision: number
  readonly status: 0 | 1
  readonly members: readonly MemberRow[]
}

export interface RouterRow {
  readonly name: string
  readonly hub: string
  readonly routerType: 1 | 2
  readonly status: 0 | 1
  readonly note: string
  readonly presence: PresenceState
  readonly live: 0 | 1
  readonly presenceReason: string
}

/** A row of the audit log. */
export interface AuditRow {
  readonly module: string
  readonly action: string
  readonly target: string
  readonly before: unknown
  readonly after: unknown
  readonly requestId: string
}

/** One account's rows, as of one transaction. */
export interface AccountRows {
  readonly sign: string | null
  readonly networks: readonly NetworkRow[]
  readonly routers: readonly RouterRow[]
}

export interface Rows {
  readonly accounts: ReadonlyMap<string, AccountRows>
  readonly endedSessions: ReadonlySet<string>
  /** Kinds and operations of the entries in the hub outbox. */
  readonly outbox: readonly string[]
}

export const readRows = (data: string, usernames: readonly string[]): Rows =>
  readDatabase(data, (all) => ({
    accounts: new Map(usernames.map((username) => [username, readAccount(all, username)])),
    endedSessions: new Set(all('select id from sessions where ended_at is not null').map(({ id }) => String(id))),
    outbox: all('select kind, op from hub_outbox order by id').map(({ kind, op }) => `${kind} ${op}`),
  }))

/** All writes of an account, in their order. */
export const readAudit = (data: string, username: string): AuditRow[] =>
  readDatabase(data, (all) =>
    all(
      `select module, action, target, before, after, request_id as requestId from audit_logs
      where account_id = (select id from accounts where username = ?) order by id`,
      username,
    ).map((row) => ({ ...row, before: parse(row['before']), after: parse(row['after']) }) as unknown as AuditRow),
  )

const parse = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : {})

function readAccount(all: Select, username: string): AccountRows {
  const [account] = all('select id, sign from accounts where username = ?', username)
  const ofAccount = (sql: string) => all(sql, Number(account?.['id']))
  const networks = ofAccount(
    'select id, number, hub, name, ciphers, secret, revision, status from networks where account_id = ? order by id',
  )
  const members = ofAccount(
    `select m.network_id, r.id as routerId, r.name as routerName, r.router_type as routerType, r.status,
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
  const routers = ofAccount(
    `select r.name, r.hub, r.router_type as routerType, r.status, r.note, coalesce(s.presence, 'never') as presence,
      coalesce(s.live, 0) as live, coalesce(s.presence_reason, '') as presenceReason
    from routers r left join router_states s on s.router_id = r.id where r.account_id = ? order by r.id`,
  )
  return {
    sign: account?.['sign'] as string | null,
    networks: networks.map((network) => {
      const own = (rows: typeof members) => rows.filter((row) => row['network_id'] === network['id'])
      const lists = { members: own(members), settings: own(settings), memberSettings: own(memberSettings) }
      return { ...network, ...lists } as unknown as NetworkRow
    }),
    routers: routers as unknown as RouterRow[],
  }
}
