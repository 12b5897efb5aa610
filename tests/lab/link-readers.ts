import { networkApi } from '#contract/network/index.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { isOnline } from '#domain/health/member.ts'
import { openSession } from '#infra/bench/account.ts'
import { openViewer } from '#infra/bench/live-clients.ts'
import type { LabAgent } from '#infra/lab/agents.ts'
import { NODE_NAMES, type NodeName, type SiteName } from '#infra/lab/bed/sites.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { poll } from '#infra/lab/poll.ts'
import { EMPTY, type Link, type NetworkInfo, step } from '#pages/network/live-network.ts'
import { PORT_KINDS, bundleState, indexLinks, portStates } from '#pages/network/topology/layout/ports.ts'
import { type ConsoleLinks, type LinkEnds, findDisagreements } from './link-agreement.ts'
import { type RouterSessions, readNodeSessions, readSessions } from './router-state.ts'

/* Links of a customer's networks as the console shows them, beside the links as the routers have them. */

const AGREED_MS = 60_000

/**
 * Waits until the list of networks, the network's page, its drawing, its table of links, the poll and the routers agree on
 * every link. @param cutOff sites that reach nobody
 */
type UntilAgreed = (stage: string, cutOff?: readonly (SiteName | NodeName)[]) => Promise<void>

/** Runs with the pages of the first customer's networks open. */
export async function withLinkReaders(
  lab: Lab,
  run: (untilAgreed: UntilAgreed) => Promise<void>,
  nodes: ReadonlyMap<NodeName, LabAgent> = new Map(),
): Promise<void> {
  const [{ username, networks }] = lab.customers
  const token = await openSession(lab.stack, username)
  const pages = await Promise.all([...networks.values()].map((number) => openPage(lab, nodes, token, number)))
  try {
    await run(async (stage, cutOff = []) => {
      const read = async () => (await Promise.all(pages.map((page) => page.disagreements(cutOff)))).flat()
      await poll(`${stage}, console and routers agree`, AGREED_MS, read, (lines) => lines.length === 0)
    })
  } finally {
    for (const page of pages) page.close()
  }
}

/** The page of a network: read once, then kept by the frames of its socket, as the console does. */
async function openPage(lab: Lab, nodes: ReadonlyMap<NodeName, LabAgent>, token: string, network_number: string) {
  const [{ call, devices }] = lab.customers
  const readInfo = () => call(networkApi.info, { network_number })
  let page = step(EMPTY, { type: 'info', info: await readInfo() })
  let isClosed = false
  const target = { kind: 'network', network_number } as const
  const socket = await openViewer(lab.stack.origin, token, target, (_, frame) => {
    if (frame?.type === 'snapshot') page = step(page, { type: 'snapshot', view: frame.data })
    if (frame?.type === 'delta') page = step(page, { type: 'delta', seq: frame.seq, view: frame.data })
    if (frame?.type === 'membership') page = step(page, { type: 'membership' })
  })
  socket.on('close', () => (isClosed = true))
  const sites = new Map<string, SiteName | NodeName>([
    ...[...devices].map(([site, { serial }]) => [serial, site] as const),
    ...[...nodes].map(([node, { device }]) => [device.serial, node] as const),
  ])

  return {
    async disagreements(cutOff: readonly (SiteName | NodeName)[]): Promise<readonly string[]> {
      if (isClosed) return [`${network_number}: the page's socket is closed`]
      const [info, status, rows] = await Promise.all([
        readInfo(),
        call(networkApi.status, { network_number }),
        call(networkApi.lists, { page: 1, limit: 100 }),
      ])
      const list = rows.find((row) => row.network_number === network_number)?.health
      if (!list) return [`${network_number}: no health in the list`]
      if (page.isBehind) page = step(page, { type: 'info', info })
      const shown: ConsoleLinks = {
        list,
        detail: statesOf(info.link),
        status: statesOf(status.link),
        table: statesOf(page.links),
        drawing: drawnStates(page.links),
        online: [
          new Set(Object.keys(status.online).filter((name) => status.online[name] === 1)),
          new Set(page.members.filter(({ presence }) => isOnline(presence)).map(({ router_name }) => router_name)),
        ],
      }
      return findDisagreements({
        shown,
        ends: await readEnds(lab, sites, info),
        routers: info.member.flatMap(({ router_name }) => (sites.has(router_name) ? router_name : [])),
        isCutOff: (name) => cutOff.some((site) => sites.get(name) === site),
      })
    },
    close: () => socket.close(),
  }
}

const statesOf = (links: readonly Pick<LinkView, 'id' | 'state'>[]) =>
  new Map(links.map(({ id, state }) => [id, state]))

/** State of each link as the drawing has it: that of a port of its member, or of a line between two of one kind. */
function drawnStates(links: readonly Link[]): ConsoleLinks['drawing'] {
  const byMember = indexLinks(links)
  const drawn = (link: Link) =>
    PORT_KINDS.has(link.kind)
      ? portStates({ members: [link.router_name] }, [[link.center_router_name]], byMember)[0]
      : bundleState([link])
  return new Map(
    links.map((link) => {
      const state = drawn(link)
      return [link.id, state === 'mixed' ? null : (state ?? null)] // one link alone is never mixed
    }),
  )
}

/** Links of a network as the routers at both ends have them. */
async function readEnds(
  lab: Lab,
  sites: ReadonlyMap<string, SiteName | NodeName>,
  { network_number, link }: Pick<NetworkInfo, 'network_number' | 'link'>,
): Promise<ReadonlyMap<string, LinkEnds>> {
  const names = new Set(link.flatMap(({ router_name, center_router_name }) => [router_name, center_router_name]))
  const read = async (name: string): Promise<readonly (readonly [string, RouterSessions])[]> => {
    const site = sites.get(name)
    if (site === undefined) return []
    const isNode = NODE_NAMES.some((node) => node === site)
    const sessions = isNode
      ? await readNodeSessions(lab, site as NodeName, network_number)
      : await readSessions(lab.bed, site as SiteName, lab.folder)
    return [[name, sessions]]
  }
  const routers = new Map((await Promise.all([...names].map(read))).flat())
  const has = (name: string, own: string, peer: string) =>
    (routers.get(name)?.addresses.has(own) && routers.get(name)?.peers.has(peer)) ?? false
  return new Map(
    link.map(({ id, router_name, center_router_name, vpn_ip, center_vpn_ip }) => [
      id,
      {
        client: has(router_name, vpn_ip, center_vpn_ip),
        server: has(center_router_name, center_vpn_ip, vpn_ip),
      },
    ]),
  )
}
