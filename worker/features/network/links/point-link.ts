import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { saveNetworkSetting, deletePointLinks, insertPointLinks } from '../sql/settings.ts'
import { NETWORK_OWNER, type OwnedSegment } from '#domain/network/addresses/overlap.ts'
import {
  type PlannedLink,
  type PointLink,
  type WantedLink,
  checkPeers,
  endsAt,
  isSameLink,
  planLinks,
} from '#domain/network/members/pair-links.ts'
import { checkPort, type PortRows, usedPorts } from '#domain/network/addresses/ports.ts'
import { segmentText, nextFreeSegment } from '#domain/network/addresses/segments.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { checkWantedSegments } from '#domain/network/addresses/wanted-segments.ts'
import type { Ctx } from '#http/context.ts'
import { segmentsBeside, selectAround, toAround, FIRST_INTERLINK } from '../addresses/neighbors.ts'
import { type LoadedNetwork, loadSettings } from '../load-settings.ts'
import { selectPorts, toPortRows } from '../addresses/ports.ts'
import { requireMember } from '../require.ts'
import { saveSettings } from '../save-setting.ts'
import { guardNeighbors } from '../sql/addresses.ts'
import type { networkApi } from '#contract/network/index.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

type Api = typeof networkApi
const NAME = '点对点互联'

const selectBeside = (ctx: Ctx, number: string) => ({ ...selectAround(ctx, number), ...selectPorts(ctx) })

/** Both ends get the links, and lose those that are not sent any more. */
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
      const around = toAround(ctx, number, more)
      const used = usedPorts(withoutLinks(toPortRows(ctx, loaded, more), number, own))
      const { links, refused } = planLinks(self, wanted, members, stored, used)
      throwIf(refused)
      if (own.length === links.length && own.every((link) => links.some((next) => isSameLink(link, next)))) return null
      const beside = [
        ...segmentsBeside(
          around.members,
          () => false,
          around.neighborsBut((kind) => kind === 'point_link'),
        ),
        ...others.map(toSegment),
      ]
      throwIf(checkWantedSegments(toWanted(wanted, own, loaded), beside))
      throwIf(checkPorts(links, used))
      const isOnlyLess = links.every((link) => own.some((old) => isSameLink(old, link)))
      return {
        pointLinks: [...others, ...links],
        isAllowedSuspended: isOnlyLess,
        statements: {
          beside: !isOnlyLess && guardNeighbors(ctx.db, network, around.members, around.beside),
          gone: deletePointLinks(ctx.db, network, [self.routerId]),
          links: insertPointLinks(ctx.db, network, links),
          counted: saveNetworkSetting(ctx.db, network, 'point_link', {}, ctx.now),
        },
        audit: {
          action: 'edit_point_link',
          message: `组网“${network.name}”设置成员“${labelOf(self)}”的${NAME}，共${links.length}条`,
          before: { router_name: self.routerName, link_config: own.map((link) => toWire(link, self.routerId, loaded)) },
          after: {
            router_name: self.routerName,
            link_config: links.map((link) => toWire(link, self.routerId, loaded)),
          },
        },
      }
    },
    () => selectBeside(ctx, number),
  )
}

const toSegment = (link: PointLink): OwnedSegment => ({
  routerName: `${NETWORK_OWNER}${link.gateway}`,
  label: NAME,
  segment: segmentText(link),
  kind: 'inner',
})

/** Ports of the account without those of these links. */
const withoutLinks = (rows: PortRows, number: string, links: readonly PointLink[]): PortRows => ({
  ...rows,
  pointLinks: rows.pointLinks.filter(
    ({ networkNumber, routerId, port }) =>
      networkNumber !== number || !links.some((link) => link.serverId === routerId && link.port === port),
  ),
})

const findPeer = ({ serverId, clientId }: PointLink, id: number): number => (serverId === id ? clientId : serverId)

const toWanted = (wanted: readonly WantedLink[], own: readonly PointLink[], loaded: LoadedNetwork) =>
  wanted.map((link, row) => {
    const peer = requireMember(loaded.members, link.router_name)
    const old = own.find((one) => endsAt(one, peer.routerId))
    const segment = segmentText(link)
    const isChanged = old === undefined || segmentText(old) !== segment
    return { label: `${labelOf(peer)}的${NAME}`, segment, field: `link_config.${row}.gateway`, isChanged }
  })

function checkPorts(links: readonly PlannedLink[], used: ReturnType<typeof usedPorts>) {
  const planned = links.map(({ serverId: routerId, port, row }) => ({
    row,
    routerId,
    port,
    publicIp: null,
    publicPort: null,
    owner: NAME,
    isHidden: false,
  }))
  for (const one of planned) {
    const others = planned.filter((other) => other !== one)
    const found = checkPort(one, [...used, ...others], `link_config.${one.row}`)
    if (found) return found
  }
  return null
}

const toWire = (link: PointLink, self: number, { members }: LoadedNetwork) => ({
  router_name: members.find(({ routerId }) => routerId === findPeer(link, self))?.routerName ?? '',
  gateway: link.gateway,
  mask: link.mask,
  static_port: link.staticPort,
})

export async function readPointLinks(ctx: Ctx, input: Parsed<Api['pointLink']>): Promise<Output<Api['pointLink']>> {
  const { network_number: number, router_name: name } = input
  const { more, ...loaded } = await loadSettings(ctx, number, selectAround(ctx, number))
  const self = requireMember(loaded.members, name)
  const around = toAround(ctx, number, more)
  const taken = segmentsBeside(
    around.members,
    () => false,
    around.neighborsBut(() => false),
  )
  const free = nextFreeSegment(
    FIRST_INTERLINK,
    taken.map(({ segment }) => segment),
  )
  const own = loaded.pointLinks.filter((link) => endsAt(link, self.routerId))
  return {
    router_name: self.routerName,
    linkList: own.map((link) => ({
      ...toWire(link, self.routerId, loaded),
      note: loaded.members.find(({ routerId }) => routerId === findPeer(link, self.routerId))?.note ?? '',
      port: link.port,
      is_server: toWireBoolean(link.serverId === self.routerId),
    })),
    free_gateway: free?.split('/')[0] ?? '',
    revision: loaded.stored.revisions.point_link,
  }
}
