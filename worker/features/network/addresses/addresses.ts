import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { Session } from '#contract/kernel/session.ts'
import { SEGMENT_REQUIRED } from '#contract/network/fields.ts'
import type { MemberSettings } from '#contract/network/settings.ts'
import type { AddressedMember } from '#domain/network/addresses/addresses.ts'
import { toPool, serviceSegments } from '#domain/network/compile/server-segments.ts'
import { segmentText } from '#domain/network/addresses/segments.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import {
  checkWantedSegments,
  type AddressPlan,
  wantedNetworkSegments,
  wantedRange,
  type CenterAddresses,
  SERVICES,
  checkPools,
  toGatewayField,
  wantedCenterSegments,
  withAddresses,
} from '#domain/network/addresses/chosen-segments.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { changeAddresses, selectNeighborhood, toNeighborhood } from './neighbors.ts'
import { saveSettings, type LoadedNetwork, loadSettings } from '../settings.ts'
import type { networkApi } from '#contract/network/index.ts'
import type { Results } from '#db/batch.ts'
import { servedSegments } from '#domain/network/addresses/member-segments.ts'
import { type CenterPorts, type PortRows, checkFixedPorts, portsOfLink } from '#domain/network/addresses/ports.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { requireCenter } from '../require.ts'
import {
  claimPorts,
  selectCenterLinkPorts,
  selectCenterPorts,
  selectPointLinkPorts,
  guardNeighbors,
  selectNeighbors,
  toRevisions,
} from '../sql/addresses.ts'

/* Endpoints of a network's addresses: address pool (IP地址池), segments of a centre, fixed ports (固定端口). */

type Api = typeof networkApi

export async function readIpAddressPool(ctx: Ctx, input: Parsed<Api['ipAddressPool']>) {
  const loaded = await loadSettings(ctx, input.network_number)
  const { members, stored, storedOf } = loaded
  const { ip_pool: range, center_link: link } = stored.values
  return {
    gateway: range.gateway,
    mask: range.mask,
    pop: range.pop,
    pop_software: range.pop_software,
    center_link_network: link.gateway === '' ? null : { gateway: link.gateway, mask: link.mask },
    center_network: members.filter(isCenter).map(({ routerId, routerName, note, segmentIndex }) => ({
      router_name: routerName,
      note,
      ...toPools(segmentIndex, storedOf(routerId).values),
    })),
    revision: revisionOf(loaded),
  }
}

const isCenter = (member: { readonly memberType: 'center' | 'point' }): boolean => member.memberType === 'center'

/** The address plan shows several settings: an edit of any of them makes it stale. */
const revisionOf = ({ members, stored: { revisions }, storedOf }: LoadedNetwork): number =>
  members.filter(isCenter).reduce((sum, { routerId }) => {
    const { gateway, pool } = storedOf(routerId).revisions
    return sum + gateway + pool
  }, revisions.ip_pool + revisions.center_link)

function toPools(segmentIndex: number | null, settings: MemberSettings) {
  const segments = serviceSegments({ segmentIndex, settings })
  const toServicePool = (service: (typeof SERVICES)[number]) => {
    const { first, last } = toPool(segments[service], settings.pool[service])
    return { ...toGatewayField(segments[service]), start: first, end: last }
  }
  return { router: toServicePool('router'), software: toServicePool('software') }
}

/**
 * Saves the network's address plan: its range, the segments of POP nodes and of the centre link, and segments and pools of
 * the centres listed. Other centres keep theirs.
 */
export const editIpAddressPool = (ctx: Ctx, input: Parsed<Api['editIpAddressPool']>): Promise<void> =>
  saveSettings(
    ctx,
    input.network_number,
    (loaded, more) => {
      const { network, stored } = loaded
      throwIf(checkRevision(input.revision, revisionOf(loaded)))
      const neighborhood = toNeighborhood(ctx, network.number, more)
      const centers = input.center_network.map((row, n) => {
        const before = neighborhood.requireCenter(row.router_name, `center_network.${n}.router_name`)
        const after = withAddresses(before, toAddresses(before, row))
        throwIf(checkPools(after, (service) => `center_network.${n}.${service}`))
        return { before, after, fieldOf: (service: string) => `center_network.${n}.${service}` }
      })
      const named = new Set(centers.map(({ before }) => before.routerId))
      if (named.size < centers.length) refuse('CENTER_TWICE')
      const next = nextSettings(input, stored.values)
      const beside = neighborhood.segmentsBut((kind) => kind !== 'point_link', isCenter)
      const kept = neighborhood.members
        .filter((m) => isCenter(m) && !named.has(m.routerId))
        .map((m) => ({ before: m, after: m, fieldOf: (service: string) => `${m.routerName}.${service}` }))
      const range = segmentText(next.ip_pool)
      throwIf(checkWantedSegments(wantedRange(stored.values, next), beside))
      const ofCenters = [...centers, ...kept].flatMap(({ before, after, fieldOf }) =>
        wantedCenterSegments(before, after, labelOf(before), fieldOf),
      )
      throwIf(
        checkWantedSegments(
          [...ofCenters, ...wantedNetworkSegments(stored.values, next, neighborhood.nodeIndexes)],
          beside,
          range,
        ),
      )
      const field = ofCenters.find(({ isChanged }) => isChanged)?.field ?? 'center_network.0.router.gateway'
      const { ip_pool, center_link } = stored.values
      return {
        ...changeAddresses(
          ctx,
          loaded,
          neighborhood,
          centers.map(({ after }) => after),
          { isPacked: input.pack === 1, field: field.replace('.gateway', '.mask'), ipPool: next.ip_pool },
        ),
        network: next,
        audit: {
          action: 'edit_ip_address_pool',
          message: `组网“${network.name}”修改IP地址池`,
          before: toWire(
            { ip_pool, center_link },
            centers.map(({ before }) => before),
          ),
          after: toWire(
            next,
            centers.map(({ after }) => after),
          ),
        },
      }
    },
    () => selectNeighborhood(ctx, input.network_number),
  )

type PoolRow = Parsed<Api['editIpAddressPool']>['center_network'][number]

/** A pool with all addresses is stored as none. */
function toAddresses(center: AddressedMember, row: PoolRow): CenterAddresses {
  const chosen = SERVICES.flatMap((service) => {
    const fields = row[service]
    if (fields === undefined) return []
    const segment = fields && { gateway: fields.gateway, mask: fields.mask }
    if (!fields?.start || !fields.end) return [{ service, segment, ends: null }]
    const all = toPool(segmentText(fields), null)
    const isAll = fields.start === all.first && fields.end === all.last
    return [{ service, segment, ends: isAll ? null : { start: fields.start, end: fields.end } }]
  })
  return {
    gateway: Object.fromEntries(chosen.map(({ service, segment }) => [service, segment])),
    pool: Object.fromEntries(chosen.map(({ service, ends }) => [service, ends])),
  }
}

function nextSettings(input: Parsed<Api['editIpAddressPool']>, { ip_pool: pool, center_link: link }: AddressPlan) {
  const { gateway, mask, pop = pool.pop, pop_software = pool.pop_software, center_link_network: interlink } = input
  if (interlink === null && link.enable === 1 && link.ports.public_ip === null)
    refuse('INPUT_INVALID', { reason: SEGMENT_REQUIRED }, 'center_link_network.gateway')
  return {
    ip_pool: { ...pool, ...(gateway !== undefined && { gateway, mask }), pop, pop_software },
    center_link: {
      ...link,
      ...(interlink === null && { gateway: '' }),
      ...(interlink && { gateway: interlink.gateway, mask: interlink.mask }),
    },
  }
}

/** Form in the audit row, without absent values. */
const toWire = ({ ip_pool, center_link }: AddressPlan, centers: readonly AddressedMember[]) => ({
  ...ip_pool,
  center_link_network: segmentText(center_link),
  center_network: centers.map(({ routerName, gateway, pool }) => ({ router_name: routerName, gateway, pool })),
})

const FIELD = { router: 'router_network', software: 'software_network' } as const

/** Saves the segments of one centre (`gateway` on the wire). An absent one stays. */
export const editCenterGateway = (ctx: Ctx, input: Parsed<Api['editCenterGateway']>): Promise<void> =>
  saveSettings(
    ctx,
    input.network_number,
    (loaded, more) => {
      const { network, storedOf, stored } = loaded
      const neighborhood = toNeighborhood(ctx, network.number, more)
      const center = neighborhood.requireCenter(input.router_name)
      throwIf(checkRevision(input.revision, storedOf(center.routerId).revisions.gateway))
      const { router_network: router, software_network: software } = input
      const next = withAddresses(center, {
        gateway: { ...(router !== undefined && { router }), ...(software !== undefined && { software }) },
      })
      throwIf(
        checkWantedSegments(
          wantedCenterSegments(center, next, labelOf(center), (service) => FIELD[service]),
          neighborhood.segmentsBut(
            () => false,
            (m) => m === center,
          ),
          segmentText(stored.values.ip_pool),
        ),
      )
      const [old, served] = [servedSegments(center), servedSegments(next)]
      const changed = SERVICES.find((service) => old[service] !== served[service])
      const field = `${FIELD[changed ?? 'router']}.mask`
      return {
        ...changeAddresses(ctx, loaded, neighborhood, [next], {
          isPacked: input.pack === 1,
          field,
          ipPool: stored.values.ip_pool,
        }),
        audit: {
          action: 'edit_center_gateway',
          message: `组网“${network.name}”修改中心点“${labelOf(center)}”的网段`,
          before: toCenterWire(center),
          after: toCenterWire(next),
        },
      }
    },
    () => selectNeighborhood(ctx, input.network_number),
  )

function toCenterWire(center: AddressedMember) {
  const { router, software } = servedSegments(center)
  return { router_name: center.routerName, router_network: router, software_network: software }
}

export const selectPorts = (ctx: Ctx) => ({
  centerPorts: selectCenterPorts(ctx.db, requireAccountId(ctx)),
  centerLinkPorts: selectCenterLinkPorts(ctx.db, requireAccountId(ctx)),
  pointLinkPorts: selectPointLinkPorts(ctx.db, requireAccountId(ctx)),
})

/**
 * Saves ports of a centre's two services; an absent service keeps its own. Without chosen ports members dial the last seen
 * address of the centre on default ports.
 */
export const editFixedPorts = (ctx: Ctx, input: Parsed<Api['fixedPort']>): Promise<void> =>
  saveSettings(
    ctx,
    input.network_number,
    (loaded, more) => {
      const { network, members, storedOf } = loaded
      const { routerId, routerName, note, segmentIndex } = requireCenter(members, input.router_name)
      const { values, revisions } = storedOf(routerId)
      throwIf(checkRevision(input.revision, revisions.fixed_port))
      const { fixed_port: before } = values
      const { router_service = before.router_service, software_service = before.software_service } = input
      const wanted = { router_service, software_service }
      const self: CenterPorts = {
        routerId,
        routerName,
        note,
        segmentIndex: segmentIndex ?? 0,
        networkNumber: network.number,
        networkName: network.name,
        isHidden: false,
        fixedPort: null,
      }
      throwIf(checkFixedPorts(self, wanted, toPortRows(ctx, loaded, more)))
      const isOff = [router_service, software_service].every((one) => Object.values(one).every((v) => v === null))
      return {
        members: { fixed_port: [{ routerId, value: wanted }] },
        isAllowedSuspended: isOff,
        statements: {
          beside: guardNeighbors(ctx.db, network, [{ routerId }], toRevisions(more.nearby)),
          ...claimPorts(ctx.db, network, routerId, wanted),
        },
        audit: {
          action: 'fixed_port',
          message: `组网“${network.name}”${isOff ? '清除' : '设置'}中心点“${labelOf({ routerName, note })}”的固定端口`,
          before: { router_name: routerName, ...before },
          after: { router_name: routerName, ...wanted },
        },
      }
    },
    () => ({ ...selectPorts(ctx), nearby: selectNeighbors(ctx.db, requireSession(ctx), input.network_number) }),
  )

/** All ports in the account that a port of this network may conflict with. */
export function toPortRows(
  ctx: Ctx,
  { members }: Pick<LoadedNetwork, 'members'>,
  { centerPorts, centerLinkPorts, pointLinkPorts }: Results<ReturnType<typeof selectPorts>>,
): PortRows {
  const hidden = hideIn(requireSession(ctx))
  return {
    centers: centerPorts.map((row) => ({ ...row, segmentIndex: row.segmentIndex ?? 0, ...hidden(row) })),
    centerLinks: centerLinkPorts.map((row) => ({ ...row, ...hidden(row) })),
    pointLinks: pointLinkPorts.flatMap(({ networkNumber, networkName, ...link }) =>
      portsOfLink(link).map((end) => ({ networkNumber, networkName, ...end, ...hidden({ networkNumber }) })),
    ),
    probes: members.flatMap(({ routerId, probePort: port }) => (port ? [{ routerId, port }] : [])),
  }
}

const hideIn =
  ({ grants }: Session) =>
  ({ networkNumber }: { readonly networkNumber: string }) => ({ isHidden: !coversNetwork(grants, networkNumber) })
