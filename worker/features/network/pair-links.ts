import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { WantedLink } from '#contract/network/fields.ts'
import { MASK } from '#contract/network/limits.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { Violation } from '#contract/kernel/result.ts'
import {
  type UsedPort,
  checkPort,
  defaultPort,
  nextFreePort,
  portsOfLink,
  usedPorts,
  type PortRows,
} from '#domain/network/addresses/ports.ts'
import { segmentText, nextFreeSegment } from '#domain/network/addresses/segments.ts'
import { SETTING_TITLE } from '#domain/network/history/setting-words.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { checkWantedSegments } from '#domain/network/addresses/chosen-segments.ts'
import type { Ctx } from '#http/context.ts'
import { selectNeighborhood, toNeighborhood } from './addresses/neighbors.ts'
import { requireCenter, requireMember } from './require.ts'
import { claimCenterLinkPort, guardNeighbors } from './sql/addresses.ts'
import { saveSettings, type LoadedNetwork, loadSettings } from './settings.ts'
import { saveNetworkSetting, deletePointLinks, insertPointLinks } from './sql/settings.ts'
import type { networkApi } from '#contract/network/index.ts'
import { NETWORK_OWNER, type OwnedSegment } from '#domain/network/addresses/overlap.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import {
  checkCenterLink,
  isTurnedOff,
  type PlannedLink,
  type PointLink,
  checkPeers,
  endsAt,
  isSameLink,
  planLinks,
} from '#domain/network/members/pair-links.ts'
import { selectPorts, toPortRows } from './addresses/addresses.ts'

/* Endpoints of links between members of one role: twin-centre link (双中心点互通) and point links (点对点互联). */

type Api = typeof networkApi
type CenterLink = NetworkSettings['center_link']
const CENTER_LINK = SETTING_TITLE.center_link

/** Free segments of links are proposed after this one. */
const FIRST_INTERLINK = `172.31.0.0/${MASK.interlinkDefault}`

/** Network number of the next free segment for a link; empty if none is left. */
function freeGateway(taken: readonly OwnedSegment[]): string {
  const segments = taken.map(({ segment }) => segment)
  return nextFreeSegment(FIRST_INTERLINK, segments)?.split('/')[0] ?? ''
}

/** Adapts a refusal to a form whose fields have no group. */
const atRoot = (found: Violation | null): Violation | null =>
  found?.field?.startsWith('.') ? { ...found, field: found.field.slice(1) } : found

const selectBeside = (ctx: Ctx, number: string) => ({ ...selectNeighborhood(ctx, number), ...selectPorts(ctx) })

export const setCenterLink = (ctx: Ctx, input: Parsed<Api['centerLink']>): Promise<void> =>
  writeCenterLink(ctx, input, 'center_link', ({ members }) => {
    const { enable, gateway, mask, public_ip, public_port, static_port } = input
    const { routerId: server } = requireCenter(members, input.center_router_name, 'center_router_name')
    return { enable, server, gateway, mask, ports: { public_ip, public_port, static_port } }
  })

export const enableCenterLink = (ctx: Ctx, input: Parsed<Api['enableCenterLink']>): Promise<void> =>
  writeCenterLink(ctx, input, 'enable_center_link', (_, old) => ({ ...old, enable: input.enable }))

export const editCenterLinkGateway = (ctx: Ctx, input: Parsed<Api['editCenterLinkGateway']>): Promise<void> =>
  writeCenterLink(ctx, input, 'edit_center_link_gateway', (_, old) => ({
    ...old,
    gateway: input.gateway,
    mask: input.mask,
  }))

/** Saves the link for both centres. A link that is off claims neither segment nor port. */
const writeCenterLink = (
  ctx: Ctx,
  { network_number: number, revision }: { readonly network_number: string; readonly revision?: number | undefined },
  action: string,
  toNext: (loaded: LoadedNetwork, old: CenterLink) => CenterLink,
): Promise<void> =>
  saveSettings(
    ctx,
    number,
    (loaded, more) => {
      const { network, members, stored } = loaded
      const old = stored.values.center_link
      throwIf(checkRevision(revision, stored.revisions.center_link))
      const next = toNext(loaded, old)
      throwIf(checkCenterLink(network.networkType, members, old, next))
      const neighborhood = toNeighborhood(ctx, number, more)
      if (next.enable === 1) {
        const isChanged = old.enable === 0 || old.gateway !== next.gateway || old.mask !== next.mask
        const segment = segmentText(next)
        const beside = neighborhood.segmentsBut((kind) => kind === 'center_link')
        const wanted = next.gateway === '' ? [] : [{ label: CENTER_LINK, segment, field: 'gateway', isChanged }]
        throwIf(checkWantedSegments(wanted, beside))
        throwIf(atRoot(checkPort(toUsedPort(loaded, next), listPortsBeside(ctx, number, loaded, more), '')))
      }
      const isOff = isTurnedOff(old, next)
      return {
        network: { center_link: next },
        isAllowedSuspended: isOff,
        statements: {
          beside: next.enable === 1 && guardNeighbors(ctx.db, network, neighborhood.members, neighborhood.beside),
          ...claimCenterLinkPort(ctx.db, network, [old.server, next.server], next),
        },
        audit: {
          action,
          message: `组网“${network.name}”${isOff ? '关闭' : '设置'}${CENTER_LINK}`,
          before: toCenterWire(loaded, old),
          after: toCenterWire(loaded, next),
        },
      }
    },
    () => selectBeside(ctx, number),
  )

type Beside = Parameters<typeof toPortRows>[2]

/** Ports in use, without those of this link. */
function listPortsBeside(ctx: Ctx, number: string, loaded: LoadedNetwork, more: Beside): readonly UsedPort[] {
  const rows = toPortRows(ctx, loaded, more)
  return usedPorts({ ...rows, centerLinks: rows.centerLinks.filter((link) => link.networkNumber !== number) })
}

function toUsedPort({ network, members }: LoadedNetwork, { server, ports }: CenterLink): UsedPort {
  const center = members.find(({ routerId }) => routerId === server) ?? refuse('MEMBER_NOT_IN_NETWORK')
  return {
    routerId: center.routerId,
    port: ports.static_port ?? defaultPort(center.segmentIndex ?? 0, 'center_link'),
    publicIp: ports.public_ip,
    publicPort: ports.public_port,
    owner: `组网“${network.name}”的${CENTER_LINK}`,
    isHidden: false,
  }
}

const findName = ({ members }: LoadedNetwork, server: number | null): string =>
  members.find(({ routerId }) => routerId === server)?.routerName ?? ''

const toCenterWire = (loaded: LoadedNetwork, { server, ports, ...link }: CenterLink) => ({
  ...link,
  center_router_name: findName(loaded, server),
  ...ports,
})

export async function readCenterLink(ctx: Ctx, { network_number: number }: Parsed<Api['centerLinkNetwork']>) {
  const { more, ...loaded } = await loadSettings(ctx, number, selectBeside(ctx, number))
  const { values, revisions } = loaded.stored
  const taken = toNeighborhood(ctx, number, more).segmentsBut((kind) => kind === 'center_link')
  const center = loaded.members.find(({ memberType }) => memberType === 'center')
  const used = listPortsBeside(ctx, number, loaded, more).filter(({ routerId }) => routerId === center?.routerId)
  const { public_ip, ...ports } = values.center_link.ports
  return {
    network_number: number,
    gateway: values.center_link.gateway,
    mask: values.center_link.mask,
    enable: values.center_link.enable,
    center_router_name: findName(loaded, values.center_link.server),
    public_ip: public_ip ?? '',
    ...ports,
    free_gateway: freeGateway(taken),
    free_port: center ? nextFreePort(defaultPort(center.segmentIndex ?? 0, 'center_link'), used) : null,
    revision: revisions.center_link,
  }
}

const POINT_LINK = '点对点互联'

/** Replaces all point links of one member. The other ends get and lose them, too. */
export const editPointLink = (ctx: Ctx, input: Parsed<Api['editPointLink']>): Promise<void> => {
  const { network_number: number, link_config: wanted } = input
  return saveSettings(
    ctx,
    number,
    (loaded, more) => {
      const { network, members, pointLinks: stored, stored: settings } = loaded
      throwIf(checkRevision(input.revision, settings.revisions.point_link))
      const self = requireMember(members, input.router_name)
      throwIf(checkPeers(self, wanted, members, stored))
      const [own, others] = [
        stored.filter((link) => endsAt(link, self.routerId)),
        stored.filter((link) => !endsAt(link, self.routerId)),
      ]
      const neighborhood = toNeighborhood(ctx, number, more)
      const used = usedPorts(withoutLinks(toPortRows(ctx, loaded, more), number, own))
      const { links, refused } = planLinks(self, wanted, members, stored, used)
      throwIf(refused)
      if (own.length === links.length && own.every((link) => links.some((next) => isSameLink(link, next)))) return null
      const beside = [...neighborhood.segmentsBut((kind) => kind === 'point_link'), ...others.map(toSegment)]
      throwIf(checkWantedSegments(toWanted(wanted, own, loaded), beside))
      throwIf(checkPorts(links, used))
      const isOnlyLess = links.every((link) => own.some((old) => isSameLink(old, link)))
      return {
        pointLinks: [...others, ...links],
        isAllowedSuspended: isOnlyLess,
        statements: {
          beside: !isOnlyLess && guardNeighbors(ctx.db, network, neighborhood.members, neighborhood.beside),
          gone: deletePointLinks(ctx.db, network, [self.routerId]),
          links: insertPointLinks(ctx.db, network, links),
          counted: saveNetworkSetting(ctx.db, network, 'point_link', {}, ctx.now),
        },
        audit: {
          action: 'edit_point_link',
          message: `组网“${network.name}”设置成员“${labelOf(self)}”的${POINT_LINK}，共${links.length}条`,
          before: {
            router_name: self.routerName,
            link_config: own.map((link) => toPointWire(link, self.routerId, loaded)),
          },
          after: {
            router_name: self.routerName,
            link_config: links.map((link) => toPointWire(link, self.routerId, loaded)),
          },
        },
      }
    },
    () => selectBeside(ctx, number),
  )
}

const toSegment = (link: PointLink): OwnedSegment => ({
  routerName: `${NETWORK_OWNER}${link.gateway}`,
  label: POINT_LINK,
  segment: segmentText(link),
  kind: 'inner',
})

const withoutLinks = (rows: PortRows, number: string, links: readonly PointLink[]): PortRows => ({
  ...rows,
  pointLinks: rows.pointLinks.filter(
    ({ networkNumber, routerId, port }) =>
      networkNumber !== number ||
      !links.flatMap(portsOfLink).some((own) => own.routerId === routerId && own.port === port),
  ),
})

const findPeer = ({ serverId, clientId }: PointLink, id: number): number => (serverId === id ? clientId : serverId)

const toWanted = (wanted: readonly WantedLink[], own: readonly PointLink[], loaded: LoadedNetwork) =>
  wanted.map((link, row) => {
    const peer = requireMember(loaded.members, link.router_name)
    const old = own.find((one) => endsAt(one, peer.routerId))
    const segment = segmentText(link)
    const isChanged = old === undefined || segmentText(old) !== segment
    return { label: `${labelOf(peer)}的${POINT_LINK}`, segment, field: `link_config.${row}.gateway`, isChanged }
  })

function checkPorts(links: readonly PlannedLink[], used: ReturnType<typeof usedPorts>) {
  const planned = links.map(({ serverId: routerId, port, row }) => ({
    row,
    routerId,
    port,
    publicIp: null,
    publicPort: null,
    owner: POINT_LINK,
    isHidden: false,
  }))
  for (const one of planned) {
    const others = planned.filter((other) => other !== one)
    const found = checkPort(one, [...used, ...others], `link_config.${one.row}`)
    if (found) return found
  }
  return null
}

const toPointWire = (link: PointLink, self: number, { members }: LoadedNetwork) => ({
  router_name: members.find(({ routerId }) => routerId === findPeer(link, self))?.routerName ?? '',
  gateway: link.gateway,
  mask: link.mask,
  static_port: link.staticPort,
})

export async function readPointLinks(ctx: Ctx, input: Parsed<Api['pointLink']>): Promise<Output<Api['pointLink']>> {
  const { network_number: number, router_name: name } = input
  const { more, ...loaded } = await loadSettings(ctx, number, selectNeighborhood(ctx, number))
  const self = requireMember(loaded.members, name)
  const taken = toNeighborhood(ctx, number, more).segmentsBut(() => false)
  const own = loaded.pointLinks.filter((link) => endsAt(link, self.routerId))
  return {
    router_name: self.routerName,
    linkList: own.map((link) => ({
      ...toPointWire(link, self.routerId, loaded),
      note: loaded.members.find(({ routerId }) => routerId === findPeer(link, self.routerId))?.note ?? '',
      port: link.port,
      client_port: link.clientPort,
      is_server: toWireBoolean(link.serverId === self.routerId),
    })),
    free_gateway: freeGateway(taken),
    revision: loaded.stored.revisions.point_link,
  }
}
