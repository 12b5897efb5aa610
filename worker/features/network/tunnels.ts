import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { TRAFFIC_RANGE } from '#contract/kernel/hub-limits.ts'
import { TUNNEL_LIST } from '#contract/network/limits.ts'
import type { networkApi } from '#contract/network/index.ts'
import type { LinkTotals } from '#contract/network/tunnels.ts'
import { batch } from '#db/batch.ts'
import { worstLinksFirst } from '#domain/health/link.ts'
import { toLinkTimes } from '#domain/health/link-times.ts'
import { linkEnds } from '#domain/network/members/links.ts'
import { findMember } from '#domain/network/members/member-name.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectLinkRows, toLinkRows } from './read.ts'
import { askRouterHub } from './service.ts'
import { selectLinkEnds, selectNetwork } from './sql/networks.ts'
import { selectLinkTimes, selectOpenDials } from './sql/tunnels.ts'
import { readLive } from './views.ts'

/* Tunnels of a network with their bytes, sessions of its software members, history of a link. */

type Api = typeof networkApi
type Input = Parsed<Api['tunnels']>
type Tunnel = Output<Api['tunnels']>[number]
type Link = Awaited<ReturnType<typeof readLive>>['link'][number]
type Session = Awaited<ReturnType<typeof selectOpenDials>>[number]
type LinkEnd = Awaited<ReturnType<typeof selectLinkEnds>>[number]

export async function listTunnels(ctx: Ctx, input: Input) {
  const { network_number: number, router_name: name, kind, page, limit } = input
  const scope = requireSession(ctx)
  const { networks, dials, ...rows } = await batch(ctx.db, {
    ...selectLinkRows(ctx, number),
    dials: selectOpenDials(ctx.db, scope, number),
  })
  const network = networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const member = name === undefined ? undefined : (findMember(rows.ends, name) ?? refuse('MEMBER_NOT_IN_NETWORK'))
  const { link } = kind === 'software' ? { link: [] } : await readLive(ctx, network, rows.ends, [], toLinkRows(rows))
  const all = [
    ...worstLinksFirst(link).map(toLinkTunnel),
    ...(kind === 'link' ? [] : dials.map(toSessionTunnel)),
  ].filter((tunnel) => isWanted(tunnel, input, member?.routerName))
  const shown = all.slice((page - 1) * limit, page * limit)
  return { data: await withBytes(ctx, rows.ends, shown), count: all.length }
}

function isWanted(tunnel: Tunnel, { id: ids, search }: Input, memberName: string | undefined): boolean {
  const { id, router_name, router_name_note, peer, peer_note, remote_ip, vpn_ip } = tunnel
  if (memberName !== undefined && router_name !== memberName && peer !== memberName) return false
  if (ids.length > 0 && !ids.includes(id)) return false
  const text = [router_name, router_name_note, peer, peer_note, remote_ip, vpn_ip].join(' ').toLowerCase()
  return text.includes(search.toLowerCase())
}

const toLinkTunnel = (link: Link): Tunnel => ({
  id: link.id,
  kind: link.kind ?? 'access',
  router_name: link.router_name,
  router_name_note: link.router_name_note,
  peer: link.center_router_name,
  peer_note: link.center_router_name_note,
  state: link.state,
  reason: link.reason,
  since: link.since,
  cipher: link.tunnel?.cipher ?? '',
  remote_ip: link.tunnel?.client_remote ?? '',
  vpn_ip: link.vpn_ip,
  rtt_ms: link.rtt_ms,
  loss: link.tunnel?.loss ?? null,
  down: null,
  upload: null,
  carrier: link.tunnel === undefined ? 'probe' : 'tunnel',
})

/** The server counts: what it sends is what the member receives. */
const toSessionTunnel = ([key, name, note, server, serverNote, remote, vpnIp, rx, tx, startAt]: Session): Tunnel => ({
  id: `dial:${key}`,
  kind: 'software',
  router_name: name,
  router_name_note: note,
  peer: server,
  peer_note: serverNote,
  state: 'up',
  reason: '',
  since: startAt,
  cipher: '',
  remote_ip: remote,
  vpn_ip: vpnIp,
  rtt_ms: null,
  loss: null,
  down: tx,
  upload: rx,
  carrier: 'tunnel',
})

/** Bytes of links are known at the hubs of the members that dial. Those of a page are asked, as many as the limit says. */
async function withBytes(ctx: Ctx, ends: readonly LinkEnd[], tunnels: readonly Tunnel[]): Promise<Tunnel[]> {
  const byClient = new Map<string, string[]>()
  for (const { kind, carrier, router_name: client, id } of tunnels)
    if (kind !== 'software' && carrier === 'tunnel') byClient.set(client, [...(byClient.get(client) ?? []), id])
  const asked = ends.filter(({ routerName }) => byClient.has(routerName)).slice(0, TUNNEL_LIST.hubsAsked)
  const answers = await Promise.all(
    asked.map(({ hub, routerName }) =>
      askRouterHub(hub, () => ctx.hubs.router(hub).linkTotals(byClient.get(routerName) ?? [])),
    ),
  )
  const totals: LinkTotals = Object.assign({}, ...answers)
  return tunnels.map((tunnel) => ({ ...tunnel, ...totals[tunnel.id] }))
}

/** Latency and loss come from the hub of the end that dials, ups and downs from the log of its links. */
export async function readLinkHistory(ctx: Ctx, { network_number: number, id, range }: Parsed<Api['linkHistory']>) {
  const scope = requireSession(ctx)
  const ends = linkEnds(id)
  if (ends?.number !== number) return refuse('LINK_NOT_FOUND')
  const since = ctx.now - TRAFFIC_RANGE[range].spanMs - TRAFFIC_RANGE[range].stepMs
  const { networks, members, times } = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, number),
    members: selectLinkEnds(ctx.db, scope, number),
    times: selectLinkTimes(ctx.db, scope, ends, since),
  })
  if (networks.length === 0) refuse('NETWORK_NOT_FOUND')
  const client = members.find(({ routerName }) => routerName === ends.client) ?? refuse('LINK_NOT_FOUND')
  const series = await ctx.hubs.router(client.hub).linkSeries(id, range)
  return { ...series, ...toLinkTimes(series, times.map(toPeriod), ctx.now) }
}

const toPeriod = ([startAt, endAt, reason]: Awaited<ReturnType<typeof selectLinkTimes>>[number]) => ({
  startAt,
  endAt,
  reason,
})
