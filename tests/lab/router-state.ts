import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vtyPath } from '#infra/agent/drivers/linux/frr/daemons.ts'
import { queryDaemon } from '#infra/agent/drivers/linux/frr/vty.ts'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { killAll } from '#infra/lab/bed/namespaces.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import type { NodeName, SiteName } from '#infra/lab/bed/sites.ts'
import type { Lab } from '#infra/lab/lab.ts'

/* State of a router as its kernel has it: tunnels, rules, routes and the programs that carry them. */

/** Addresses of a router's own ends of tunnels, by interface. */
export const readTunnels = (bed: Bed, site: SiteName) => readTunnelsAt(bed, routerName(site))

export async function readTunnelsAt(bed: Bed, host: string): Promise<ReadonlyMap<string, string>> {
  return parseTunnels((await bed.run(host, LIST_ADDRESSES)).output)
}

const LIST_ADDRESSES = ['ip', '-4', '-o', 'addr', 'show']

const parseTunnels = (output: string): ReadonlyMap<string, string> =>
  new Map([...output.matchAll(/^\d+: (ov\S+)\s+inet ([\d.]+)/gm)].map(([, name = '', address = '']) => [name, address]))

/** Addresses of a router's tunnels, and of the peers with which its routing daemon has a session. */
export interface RouterSessions {
  readonly addresses: ReadonlySet<string>
  readonly peers: ReadonlySet<string>
}

/** Reads sessions from the routing daemon itself; none where no daemon answers. @param folder of the run */
export async function readSessions(bed: Bed, site: SiteName, folder: string): Promise<RouterSessions> {
  return toSessions(await Promise.all([readTunnels(bed, site), readSummary(join(folder, site, 'run'))]))
}

/** The same of a network on a node, in the namespace that its agent holds; none while it does not run there. */
export async function readNodeSessions({ bed, folder }: Lab, node: NodeName, network: string): Promise<RouterSessions> {
  const state = join(folder, node, 'state')
  const networks = readRecord(join(state, 'networks.json')) as readonly StoredNetwork[]
  const slot = networks.find(({ network_number }) => network_number === network)?.slot
  const { processes } = readRecord(join(state, 'processes.json')) as StoredProcesses
  const pid = processes.find(({ name }) => name === `place-${slot}`)?.pid
  if (slot === undefined || !pid) return toSessions([new Map(), '{}'])
  const addresses = bed.run(routerName(node), ['nsenter', `--net=/proc/${pid}/ns/net`, ...LIST_ADDRESSES])
  return toSessions([
    parseTunnels((await addresses).output),
    await readSummary(join(folder, node, 'run', String(slot))),
  ])
}

const readRecord = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

interface StoredNetwork {
  readonly network_number: string
  readonly slot: number
}
interface StoredProcesses {
  readonly processes: readonly { readonly name: string; readonly pid: number | null }[]
}

/** Answer of the routing daemon whose sockets are in a folder. @param run of a router or of a node's network */
const readSummary = (run: string): Promise<string> =>
  queryDaemon(vtyPath(run, 'bgpd'), 'show bgp summary json').catch(() => '{}')

function toSessions([tunnels, answer]: readonly [ReadonlyMap<string, string>, string]): RouterSessions {
  const { ipv4Unicast } = JSON.parse(answer) as BgpSummary
  const peers = Object.entries(ipv4Unicast?.peers ?? {}).filter(([, { state }]) => state === 'Established')
  return { addresses: new Set(tunnels.values()), peers: new Set(peers.map(([address]) => address)) }
}

interface BgpSummary {
  readonly ipv4Unicast?: { readonly peers?: Readonly<Record<string, { readonly state: string }>> }
}

const CARRIERS: ReadonlySet<string> = new Set(['openvpn', 'zebra', 'bgpd', 'bfdd', 'dnsmasq'])

/** Folders of programs that only try a document, and end with it. */
const TRIAL = /\/(check|bgpd)-\w{6}\b/

function isTrial(pid: number): boolean {
  try {
    return TRIAL.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return true // it has ended
  }
}

/** Processes that carry packets or routes, `program pid` each; the agent is none of them. */
export const readCarriers = (bed: Bed, site: SiteName): readonly string[] =>
  [...bed.processes(routerName(site))]
    .flatMap(([pid, program]) => (CARRIERS.has(program) && !isTrial(pid) ? [`${program} ${pid}`] : []))
    .toSorted()

/** Policy rules beside those of the kernel, and routes of the table of networks. */
export async function readRules(bed: Bed, site: SiteName): Promise<readonly string[]> {
  const rules = await bed.run(routerName(site), ['ip', 'rule', 'show'])
  const routes = await bed.run(routerName(site), ['ip', 'route', 'show', 'table', '200'])
  return [
    ...rules.output.split('\n').filter((line) => /^[1-9]/.test(line) && !/^3276[67]:/.test(line)),
    ...(routes.code === 0 ? routes.output.split('\n').filter(Boolean) : []),
  ]
}

/** Takes away what a reboot does: processes, interfaces of tunnels, rules, and the agent's packet filter. */
export async function clearHost(bed: Bed, host: string): Promise<void> {
  await killAll(() => [...bed.processes(host).keys()])
  const { output } = await bed.run(host, ['ip', '-o', 'link'])
  for (const [, link = ''] of output.matchAll(/^\d+: (ov[^:@]+)/gm)) await bed.run(host, ['ip', 'link', 'delete', link])
  for (const argv of [
    ['ip', 'rule', 'flush'],
    ['ip', 'rule', 'add', 'priority', '32766', 'lookup', 'main'],
    ['ip', 'rule', 'add', 'priority', '32767', 'lookup', 'default'],
    ['ip', 'route', 'flush', 'table', '200'],
    ['nft', 'delete', 'table', 'inet', 'netloom'],
  ])
    await bed.run(host, argv)
}

/** Processes of a router that carry packets or routes and have an argument of this form. */
export const findCarriers = (bed: Bed, site: SiteName, argument: RegExp): readonly number[] =>
  [...bed.processes(routerName(site))].flatMap(([pid, program]) =>
    CARRIERS.has(program) && readArguments(pid).some((one) => argument.test(one)) ? [pid] : [],
  )

function readArguments(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // it has ended
  }
}
