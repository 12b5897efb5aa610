import { throwIf } from '#contract/kernel/errors.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { Results } from '#db/batch.ts'
import { selectNetworkSegments } from '../sql/settings.ts'
import type { AddressedMember } from '#domain/network/addresses/addresses.ts'
import { neighborhoodSegments } from '#domain/network/addresses/member-segments.ts'
import { nodeHosts, parsePopPool } from '#domain/network/pop/pool.ts'
import type { OwnedSegment } from '#domain/network/addresses/overlap.ts'
import { fitHosts } from '#domain/network/addresses/chosen-segments.ts'
import { isDialled } from '#domain/network/compile/server-segments.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectMembers } from '../sql/networks.ts'
import { toMember, toNeighbors, requireCenter } from '../require.ts'
import type { SettingChange, LoadedNetwork } from '../settings.ts'
import { guardNeighbors, selectNeighbors, toRevisions } from '../sql/addresses.ts'

/* Segments that share routing tables with those of a network, and a change of centres' addresses among them. */

/** Reads for a check of chosen segments, in one batch with the settings. */
export const selectNeighborhood = (ctx: Ctx, number: string) => ({
  addressed: selectMembers(ctx.db, requireSession(ctx), number),
  nearby: selectNeighbors(ctx.db, requireSession(ctx), number),
  held: selectNetworkSegments(ctx.db, requireSession(ctx).accountId),
})
type NeighborhoodRows = Results<ReturnType<typeof selectNeighborhood>>

export function toNeighborhood(ctx: Ctx, number: string, { addressed, nearby, held }: NeighborhoodRows) {
  const members = addressed.map((row): AddressedMember => ({ ...toMember(row), host: row.host }))
  return {
    members,
    requireCenter: (name: string, field?: string) => requireCenter(members, name, field),
    /** Segments that share routing tables with what the network chooses: those of members, and routes learned elsewhere. */
    segmentsBut: (
      isChosen: (kind: NeighborhoodRows['held'][number][1]) => boolean,
      isChanging: (member: AddressedMember) => boolean = () => false,
    ): readonly OwnedSegment[] =>
      neighborhoodSegments(
        members.map((m) => (isChanging(m) ? { ...m, segmentIndex: null } : m)),
        toNeighbors(
          requireSession(ctx),
          number,
          nearby,
          held.filter(([of, kind]) => of !== number || !isChosen(kind)),
        ),
      ),
    beside: toRevisions(nearby),
    /** Subnet indexes of its POP nodes, also while their resource is over. */
    nodeIndexes: held.flatMap(([of, kind, value]) => {
      return of === number && kind === 'pop_node' ? parsePopPool(value).indexes : []
    }),
  }
}

interface HostChange {
  readonly isPacked: boolean
  readonly field: string
  /** The new pool. */
  readonly ipPool: NetworkSettings['ip_pool']
}

/** Change for saveSettings that gives centres other addresses. Hosts move only if the person agreed. */
export function changeAddresses(
  ctx: Ctx,
  { network, popNodes, storedOf }: LoadedNetwork,
  { members, beside }: Pick<ReturnType<typeof toNeighborhood>, 'members' | 'beside'>,
  centers: readonly AddressedMember[],
  { isPacked, field, ipPool }: HostChange,
): Pick<SettingChange, 'members' | 'hosts' | 'statements'> {
  const next = new Map(centers.map((center) => [center.routerId, center]))
  const after = members.map((m) => next.get(m.routerId) ?? m)
  const { hosts, refused } = fitHosts(after, isPacked, field, {
    hosts: nodeHosts(ipPool, popNodes.length),
    isDialling: (routerId) => popNodes.some((node) => isDialled({ settings: storedOf(routerId).values }, node)),
  })
  throwIf(refused)
  return {
    members: {
      gateway: centers.flatMap(({ routerId, gateway }) => (gateway ? [{ routerId, value: gateway }] : [])),
      pool: centers.flatMap(({ routerId, pool }) => (pool ? [{ routerId, value: pool }] : [])),
    },
    hosts,
    statements: { beside: guardNeighbors(ctx.db, network, members, beside) },
  }
}
