import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { SettingRow } from '#domain/network/history/stored-settings.ts'
import { type Select, readDatabase } from '../database.ts'

interface MemberRow {
  readonly name: string
  readonly routerType: 1 | 2
  readonly memberType: 'center' | 'point'
  readonly segmentIndex: number | null
  readonly host: number
  readonly routerId: number
}

export interface NetworkRow {
  readonly number: string
  readonly hub: string
  readonly name: string
  readonly settings: readonly SettingRow[]
  readonly memberSettings: readonly (SettingRow & { readonly routerId: number })[]
  readonly ciphers: 'default' | 'sm'
  readonly secret: string
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
  readonly remoteHost: string | null
  readonly probePort: number | null
  /** JSON of the LANs that the device reports. */
  readonly lans: string | null
  readonly staticRoutes: string
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
  /** Kinds and operations of what waits in the hub outbox. */
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

function readAccount(all: Select, username: string): AccountRows {
  const [account] = all('select id, sign from accounts where username = ?', username)
  const id = Number(account?.['id'])
  const members = all(
    `select m.network_id, r.name, r.router_type as routerType, m.member_type as memberType,
      m.segment_index as segmentIndex, m.host, r.id as routerId
    from network_members m join routers r on r.id = m.router_id where m.account_id = ? order by m.id`,
    id,
  )
  const settings = all('select network_id, setting, value, revision from network_settings where account_id = ?', id)
  const memberSettings = all(
    'select network_id, router_id as routerId, setting, value, revision from member_settings where account_id = ?',
    id,
  )
  return {
    sign: account?.['sign'] as string | null,
    networks: all(
      'select id, number, hub, name, ciphers, secret, revision, status from networks where account_id = ? order by id',
      id,
    ).map((network) => ({
      ...(network as unknown as Omit<NetworkRow, 'members' | 'settings' | 'memberSettings'>),
      settings: settings.filter((row) => row['network_id'] === network['id']) as unknown as NetworkRow['settings'],
      memberSettings: memberSettings.filter(
        (row) => row['network_id'] === network['id'],
      ) as unknown as NetworkRow['memberSettings'],
      members: members.filter((m) => m['network_id'] === network['id']) as unknown as MemberRow[],
    })),
    routers: all(
      `select r.name, r.hub, r.router_type as routerType, r.status, r.note, coalesce(s.presence, 'never') as presence, coalesce(s.live, 0) as live,
        coalesce(s.presence_reason, '') as presenceReason, s.remote_host as remoteHost, s.probe_port as probePort,
        r.static_routes as staticRoutes, (select json_group_array(e.value ->> 'ip' || '/' || (e.value ->> 'mask'))
          from json_each(s.interfaces) e where e.value ->> 'role' = 'lan' and e.value ->> 'ip' <> '') as lans
      from routers r left join router_states s on s.router_id = r.id where r.account_id = ? order by r.id`,
      id,
    ) as unknown as RouterRow[],
  }
}

const parse = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : {})
