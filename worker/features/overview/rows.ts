import type { HubName } from '#contract/kernel/hubs.ts'
import type { ConfigView, MemberView, PresenceView } from '#contract/kernel/protocol.ts'
import type { Results } from '#db/batch.ts'
import {
  type Neighbor,
  toNetworkOwners,
  parseGateway,
  withStaticRoutes,
} from '#domain/network/addresses/member-segments.ts'
import type { Member } from '#domain/network/members/membership.ts'
import type { Term } from '#domain/network-fr/resource.ts'
import { parseSegments } from '#domain/router/interfaces.ts'
import { toConfigView, toPresenceView } from '#domain/router/presence.ts'
import type { selectOverview } from './sql.ts'
import type { RouterType } from '#contract/router/limits.ts'

/* Turns rows of the overview into networks and routers with members, states, segments and neighbours. */

type Rows = Results<ReturnType<typeof selectOverview>>
type NetworkRow = Rows['networks'][number]

export interface OverviewRouter {
  readonly hub: HubName
  readonly router_name: string
  readonly note: string
  /** Note of the member, or its name if it has none. */
  readonly label: string
  readonly routerType: RouterType
  readonly createdAt: number
  readonly presence: PresenceView
  readonly config: ConfigView
  readonly remoteHost: string | null
  /** Its networks, as far as the caller's role covers them. */
  readonly networks: readonly { readonly number: string; readonly memberType: 'center' | 'point' }[]
  /** In 单中心 (single centre) in one of them, as its row says: the list of members counts the same rows. */
  readonly isSingleCenter: boolean
}

export interface OverviewNetwork extends Omit<NetworkRow, 'popName' | 'popExpireAt' | 'popLapsed'> {
  readonly pop: (Term & { readonly name: string }) | null
  readonly members: readonly MemberView[]
  /** Members of the network; `neighbors` are of networks that share a router with it (check of segments). */
  readonly inside: readonly Member[]
  readonly neighbors: readonly Neighbor[]
  /** Areas of its POP nodes, by the name of the node. */
  readonly areas: ReadonlyMap<string, string>
}

export function toOverviewRows({ networks, members: memberships, routers, held, areas }: Rows) {
  const members = memberships.map(({ gateway, ...row }) => ({ ...row, gateway: parseGateway(gateway) }))
  const routersById = new Map(routers.map((row) => [row.id, toRouter(row)]))
  const byNetwork = Map.groupBy(members, ({ networkId }) => networkId)
  const byRouter = Map.groupBy(members, ({ routerId }) => routerId)
  const networksById = new Map(networks.map((network) => [network.id, network]))

  const heldByNumber = Map.groupBy(held, ([number]) => number)
  const heldBy = (id: number, isOwn: boolean): readonly Neighbor[] => {
    const network = networksById.get(id)
    if (!network) return []
    const { number, name, isVisible } = network
    const rows = (heldByNumber.get(number) ?? []).map(([, kind, value]) => ({ kind, value }))
    return toNetworkOwners({ number, name, isOwn, isHidden: isVisible === 0 }, rows)
  }
  const toOverviewNetwork = ({ popName, popExpireAt, popLapsed, ...network }: NetworkRow): OverviewNetwork => {
    const own = byNetwork.get(network.id) ?? []
    const beside = own.flatMap(({ routerId }) => byRouter.get(routerId) ?? []).map(({ networkId }) => networkId)
    const others = [...new Set(beside)].filter((id) => id !== network.id)
    return {
      ...network,
      pop: popName === null ? null : { name: popName, expireAt: popExpireAt ?? 0, lapsed: popLapsed ?? 0 },
      areas: new Map(areas.flatMap(({ networkId, node, area }) => (networkId === network.id ? [[node, area]] : []))),
      members: own.flatMap((row) => {
        const router = routersById.get(row.routerId)
        return router ? [toMemberView(router, row.memberType)] : []
      }),
      inside: own.flatMap((row) => {
        const router = routersById.get(row.routerId)
        return router ? [{ ...router.segments, ...row, ...identityOf(router), networkCount: 0 }] : []
      }),
      neighbors: [network.id, ...others].flatMap((id) => [
        ...heldBy(id, id === network.id),
        ...(id === network.id ? [] : (byNetwork.get(id) ?? [])).flatMap(({ routerId, segmentIndex, gateway }) => {
          const [router, other] = [routersById.get(routerId), networksById.get(id)]
          if (!router || !other) return []
          const { routerName, note } = identityOf(router)
          const { number: networkNumber, name: networkName } = other
          const { lans } = router.segments
          const isHidden = other.isVisible === 0
          return [{ routerName, note, networkNumber, networkName, lans, segmentIndex, gateway, isHidden }]
        }),
      ]),
    }
  }
  const toOverviewRouter = (router: Router): OverviewRouter => ({
    ...router,
    networks: (byRouter.get(router.id) ?? []).flatMap(({ networkId, memberType }) => {
      const network = networksById.get(networkId)
      return network?.isVisible === 1 ? [{ number: network.number, memberType }] : []
    }),
    isSingleCenter: (byRouter.get(router.id) ?? []).some(
      ({ networkId, singleCenter }) => singleCenter === 1 && networksById.get(networkId)?.isVisible === 1,
    ),
  })
  return {
    networks: networks.filter(({ isVisible }) => isVisible === 1).map(toOverviewNetwork),
    routers: [...routersById.values()].filter(({ isVisible }) => isVisible === 1).map(toOverviewRouter),
  }
}

type Router = ReturnType<typeof toRouter>

function toRouter(row: Rows['routers'][number]) {
  return {
    id: row.id,
    hub: row.hub,
    router_name: row.name,
    note: row.note,
    label: row.note || row.name,
    routerType: row.routerType as RouterType,
    createdAt: row.createdAt,
    presence: toPresenceView(row.state),
    config: toConfigView(row.state),
    remoteHost: row.remoteHost,
    segments: toSegments(row),
    isVisible: row.isVisible,
  }
}

function toSegments({ segments, staticRoutes }: Rows['routers'][number]) {
  const { lans, wans } = parseSegments(segments)
  return { lans: withStaticRoutes(lans, staticRoutes), wans }
}

const identityOf = ({ router_name: routerName, note, routerType }: Router) => ({ routerName, note, routerType })

const toMemberView = (router: Router, memberType: 'center' | 'point'): MemberView => ({
  router_name: router.router_name,
  router_type: router.routerType,
  member_type: memberType,
  presence: router.presence,
  config: router.config,
})
