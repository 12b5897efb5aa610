import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { isPresent } from '#domain/health/member.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { toNetworkRows } from '#domain/network/compile/rows.ts'
import type { Fleet } from '#infra/simulator/fleet.ts'
import { localSecrets } from '#infra/local/secrets.ts'
import { createLinkKeys } from '#security/device-secrets.ts'
import { openNetworkSecrets } from '#security/network-secret.ts'
import { openConsole } from '../account.ts'
import type { Stack } from '../stack.ts'
import { type AccountRows, type AuditRow, readAccount } from './rows.ts'
import type { Tenant } from './tenants.ts'

/* Comparison after crashes: an account's rows against its audit, acknowledged writes, devices and pages. */

const LINE_MAX = 1_000

/** Differences of an account's outbox, devices and main pages from its rows. */
export async function findDisagreements(stack: Stack, { username, devices }: Tenant): Promise<string[]> {
  const pages = await readPages(stack, username).catch((error: unknown) => [`a page fails: ${String(error)}`])
  const rows = readAccount(stack.data, username)
  return [
    ...compareLines('the hub outbox', rows.outbox, []),
    ...compareLines('devices', listDevices(devices), await expectDevices(rows)),
    ...compareLines('pages', pages, expectPages(rows)),
  ]
}

/** Rows without audit rows, and audit rows without rows: a write must be there completely or not at all. */
export function findUnexplained({ networks, routers, audit }: AccountRows): string[] {
  const actual: Replay = {
    notes: new Map(routers.map(({ name, note }) => [name, note])),
    networks: new Map(
      networks.map(({ number, name, members }) => [
        number,
        { name, members: new Map(members.map((member) => [member.routerName, member.memberType])) },
      ]),
    ),
  }
  return compareLines('rows against their audit', listReplay(actual), listReplay(replayAudit(audit)))
}

/** Acknowledged writes without their audit row. */
export function findLost({ requestIds }: Tenant, { audit }: AccountRows): string[] {
  const audited = new Set(audit.map(({ requestId }) => requestId))
  const lost = requestIds.filter((id) => id !== '' && !audited.has(id))
  return lost.map((id) => `acknowledged, not in the rows: ${id}`)
}

/** Lines that are in only one of the lists. */
function compareLines(subject: string, actual: readonly string[], expected: readonly string[]): string[] {
  const without = (lines: readonly string[], others: ReadonlySet<string>) =>
    lines.filter((line) => !others.has(line)).map((line) => line.slice(0, LINE_MAX))
  return [
    ...without(actual, new Set(expected)).map((line) => `${subject}: not expected: ${line}`),
    ...without(expected, new Set(actual)).map((line) => `${subject}: missing: ${line}`),
  ]
}

/** Lines of the connected devices, each with its applied document. */
const listDevices = ({ agents }: Fleet): string[] =>
  agents
    .filter(({ agent }) => agent.isUp)
    .map(
      ({ serial, agent }) => `${serial} ${canonicalJson(agent.applied ?? compileRouter(serial, [], createLinkKeys()))}`,
    )

/** Expected lines of the devices, compiled from all rows of the account: hubs read only a part of them. */
async function expectDevices({ networks, routers }: AccountRows): Promise<string[]> {
  const opened = await openNetworkSecrets(localSecrets().SEAL_KEYS, networks)
  return routers.map(({ name }) => {
    const own = opened.filter(({ members }) => members.some((member) => member.routerName === name))
    const rows = own.map((network) => toNetworkRows(network, network.members))
    return `${name} ${canonicalJson(compileRouter(name, rows, createLinkKeys()))}`
  })
}

/** Lines of the lists, details and live states that a person reads. */
async function readPages(stack: Stack, username: string): Promise<string[]> {
  const call = openConsole(stack, username)
  const lines: string[] = []
  for (const { router_name, note, presence } of await call(routerApi.lists, { page: 1, limit: 100, type: 1 }))
    lines.push(`router/lists ${router_name} ${note} ${presence.state}`)
  for (const listed of await call(networkApi.lists, { page: 1, limit: 100 })) {
    const { network_number, network_name, member_count, online_count } = listed
    lines.push(`network/lists ${network_number} ${network_name} ${member_count} ${online_count}`)
    const { member } = await call(networkApi.info, { network_number })
    const { members, link } = await call(networkApi.status, { network_number })
    lines.push(
      ...member.map((one) => `network/info ${network_number} ${one.router_name} ${one.member_type}`),
      ...members.map((one) => {
        return `network/status ${network_number} ${one.router_name} ${one.presence.state} ${one.config.state}`
      }),
      ...link.map(({ id, state, reason }) => `network/status ${id} ${state} ${reason}`.trim()),
    )
  }
  return lines
}

/** Expected lines of the pages: every device is connected, every member runs its document, and every link is up. */
function expectPages({ networks, routers }: AccountRows): string[] {
  const presences = new Map(routers.map(({ name, presence }) => [name, isPresent(presence) ? presence : 'present']))
  return [
    ...routers.map(({ name, note }) => `router/lists ${name} ${note} ${presences.get(name)}`),
    ...networks.flatMap(({ number, name, members }) => {
      const ofType = (type: string) => members.filter(({ memberType }) => memberType === type)
      return [
        `network/lists ${number} ${name} ${members.length} ${members.length}`,
        ...members.map(({ routerName, memberType }) => `network/info ${number} ${routerName} ${memberType}`),
        ...members.map(
          ({ routerName }) => `network/status ${number} ${routerName} ${presences.get(routerName)} applied`,
        ),
        ...ofType('point').flatMap((point) =>
          ofType('center').map((center) => `network/status ${number}:${point.routerName}>${center.routerName} up`),
        ),
      ]
    }),
  ]
}

interface Replay {
  readonly notes: Map<string, string>
  readonly networks: Map<string, { name: string; readonly members: Map<string, string> }>
}

const listReplay = ({ notes, networks }: Replay): string[] => [
  ...[...notes].map(([name, note]) => `router ${name} ${note}`),
  ...[...networks].flatMap(([number, { name, members }]) => [
    `network ${number} ${name}`,
    ...[...members].map(([member, type]) => `member ${number} ${member} ${type}`),
  ]),
]

/** Audited differences of the writes of this bench. */
interface Difference {
  readonly network_name?: string
  readonly center?: readonly string[]
  readonly point?: readonly string[]
  readonly note?: string
}

function replayAudit(audit: readonly AuditRow[]): Replay {
  const { notes, networks }: Replay = { notes: new Map(), networks: new Map() }
  for (const { call, target, before, after } of audit) {
    const [was, is] = [before as Difference, after as Difference]
    if (call.startsWith('router/')) notes.set(target, is.note ?? '')
    if (call === 'network/create') networks.set(target, { name: '', members: new Map() })
    if (call === 'network/delete') networks.delete(target)
    const network = networks.get(target)
    if (!network) continue
    network.name = is.network_name ?? network.name
    for (const name of [...(was.center ?? []), ...(was.point ?? [])]) network.members.delete(name)
    for (const type of ['center', 'point'] as const) {
      for (const name of is[type] ?? []) network.members.set(name, type)
    }
  }
  return { notes, networks }
}
