import type { AccountRows, AuditRow } from './rows.ts'

interface Network {
  name: string
  ciphers: string
  readonly members: Map<string, 'center' | 'point'>
}
interface State {
  sign: string | null
  readonly networks: Map<string, Network>
  readonly routers: Map<string, { note: string; status: number }>
}
/** Audited differences of the writes that this part makes. */
interface Difference {
  readonly network_name?: string
  readonly ncp_ciphers?: string
  readonly center?: readonly string[]
  readonly point?: readonly string[]
  readonly note?: string
  readonly status?: number
  readonly sign?: string
}

/** Rows that differ from the replay of all audit rows: a write is there wholly, with its audit row, or not at all. */
export function differencesFromAudit({ sign, networks, routers }: AccountRows, audit: readonly AuditRow[]): string[] {
  const state: State = { sign: null, networks: new Map(), routers: new Map() }
  for (const row of audit) replay(state, row)
  const expected = [
    `sign ${state.sign}`,
    ...[...state.routers].map(([name, { note, status }]) => `router ${name} ${note} ${status}`),
    ...[...state.networks].flatMap(([number, { name, ciphers, members }]) => [
      `network ${number} ${name} ${ciphers}`,
      ...[...members].map(([member, kind]) => `member ${number} ${member} ${kind}`),
    ]),
  ]
  const actual = [
    `sign ${sign}`,
    ...routers.map(({ name, note, status }) => `router ${toKey(name)} ${note} ${status}`),
    ...networks.flatMap(({ number, name, ciphers, members }) => [
      `network ${number} ${name} ${ciphers}`,
      ...members.map((member) => `member ${number} ${toKey(member.routerName)} ${member.memberType}`),
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
    if (action === 'create') state.networks.set(target, { name: '', ciphers: 'default', members: new Map() })
    const network = state.networks.get(target)
    return network && changeNetwork(network, was, is)
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

function changeNetwork(network: Network, was: Difference, is: Difference): void {
  for (const name of [...(was.center ?? []), ...(was.point ?? [])]) network.members.delete(toKey(name))
  for (const kind of ['center', 'point'] as const) {
    for (const name of is[kind] ?? []) network.members.set(toKey(name), kind)
  }
  network.name = is.network_name ?? network.name
  network.ciphers = is.ncp_ciphers ?? network.ciphers
}

/** A call that was read before a new suffix and committed after it names a software member as it was called then. */
const toKey = (name: string): string => name.replace(/@.*/, '@')
