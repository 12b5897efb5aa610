import type { AccountRows, AuditRow } from './rows.ts'

type Kind = 'center' | 'point'
interface Network {
  network_name: string
  ncp_ciphers: string
  readonly members: Map<string, Kind>
}
interface Router {
  note: string
  status: number
}
interface State {
  sign: string | null
  readonly networks: Map<string, Network>
  readonly routers: Map<string, Router>
}
/** What audit rows say of the writes that this part makes. */
interface Difference {
  readonly network_name?: string
  readonly ncp_ciphers?: string
  readonly center?: readonly string[]
  readonly point?: readonly string[]
  readonly note?: string
  readonly status?: number
  readonly sign?: string
}

/** Rows that differ from what all audit rows of the account lead to: a write is there wholly, with its audit row, or not at all. */
export function differencesFromAudit({ sign, networks, routers }: AccountRows, audit: readonly AuditRow[]): string[] {
  const state: State = { sign: null, networks: new Map(), routers: new Map() }
  for (const row of audit) replay(state, row)
  const expected = [
    `sign ${state.sign}`,
    ...[...state.routers].map(([name, { note, status }]) => `router ${name} ${note} ${status}`),
    ...[...state.networks].flatMap(([number, { network_name, ncp_ciphers, members }]) => [
      `network ${number} ${network_name} ${ncp_ciphers}`,
      ...[...members].map(([name, kind]) => `member ${number} ${name} ${kind}`),
    ]),
  ]
  const actual = [
    `sign ${sign}`,
    ...routers.map(({ name, note, status }) => `router ${toKey(name)} ${note} ${status}`),
    ...networks.flatMap(({ number, name, ciphers, members }) => [
      `network ${number} ${name} ${ciphers}`,
      ...members.map((member) => `member ${number} ${toKey(member.name)} ${member.memberType}`),
    ]),
  ]
  const misnamed = routers.filter(({ name, routerType }) => routerType === 2 && !name.endsWith(`@${sign}`))
  return [
    ...misnamed.map(({ name }) => `without the suffix ${sign}: ${name}`),
    ...expected.filter((line) => !actual.includes(line)).map((line) => `audited, not in the rows: ${line}`),
    ...actual.filter((line) => !expected.includes(line)).map((line) => `in the rows, not audited: ${line}`),
  ]
}

function replay(state: State, { module, action, target, before, after }: AuditRow): void {
  const [was, is] = [before as Difference, after as Difference]
  const call = `${module}/${action}`
  if (call === 'account/edit_sign') return void (state.sign = is.sign ?? null)
  if (call === 'network/delete') return void state.networks.delete(target)
  if (module === 'network') {
    if (action === 'create')
      state.networks.set(target, { network_name: '', ncp_ciphers: 'default', members: new Map() })
    const network = state.networks.get(target)
    return network && change(network, was, is)
  }
  const name = toKey(target)
  if (call === 'router/add') return void state.routers.set(name, { note: is.note ?? '', status: 1 })
  if (call === 'router/delete') {
    state.routers.delete(name)
    for (const { members } of state.networks.values()) members.delete(name)
    return
  }
  if (module === 'router') Object.assign(state.routers.get(name) ?? {}, is)
}

function change(network: Network, was: Difference, is: Difference): void {
  for (const name of [...(was.center ?? []), ...(was.point ?? [])]) network.members.delete(toKey(name))
  for (const kind of ['center', 'point'] as const) {
    for (const name of is[kind] ?? []) network.members.set(toKey(name), kind)
  }
  network.network_name = is.network_name ?? network.network_name
  network.ncp_ciphers = is.ncp_ciphers ?? network.ncp_ciphers
}

/** A call that was read before a new suffix and committed after it names a software member as it was called then. */
const toKey = (name: string): string => name.replace(/@.*/, '@')
