import type { Input } from '#contract/kernel/endpoint.ts'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import { useImpact } from '../api.ts'
import type { networkApi } from '#contract/network/index.ts'
import { useDebounced } from '#ui/hooks/use-delays.ts'
import { LINK_EFFECT_NAME, type NetworkImpact } from '#contract/network/changes.ts'

/* Impact of a change before it is saved: number and names of the devices and links concerned. */

const SETTLED_MS = 400

export type ImpactRequest = Input<typeof networkApi.impact>

/** Shows nothing if the impact cannot be computed; the save then gives the reason. */
export function ImpactList({ request }: { readonly request: ImpactRequest | null }) {
  const asked = useDebounced(request === null ? null : JSON.stringify(request), SETTLED_MS)
  const { data } = useImpact(asked === null ? null : (JSON.parse(asked) as ImpactRequest))
  if (data === undefined) return null
  const details = impactDetails(data.data)
  return (
    <span role="status" className="nl-help">
      {details.length === 0 ? (
        impactText(data.data)
      ) : (
        <Tooltip
          content={details.map((line) => (
            <div key={line}>{line}</div>
          ))}
          focusable
        >
          {impactText(data.data)}
        </Tooltip>
      )}
    </span>
  )
}

export function impactText({
  routers,
  offline,
  links,
  software_centers,
  routes,
  routes_partial,
}: NetworkImpact): string {
  if (routers === 0) return '设备配置无变化'
  const parts = [
    routes.lost > 0 && lostText(routes.lost),
    routes.gained > 0 && `${routes.gained} 个网段将可互通`,
    routes.moved > 0 && `${routes.moved} 个网段改走其他路径`,
    routes_partial === 1 && PARTIAL,
    `保存后更新 ${routers} 台设备`,
    offline > 0 && `其中 ${offline} 台离线，上线后下发`,
    links.reconnects > 0 && `${links.reconnects} 条链路会断开重连`,
    links.opens > 0 && `新建 ${links.opens} 条链路`,
    software_centers > 0 && `${software_centers} 个中心点的软件成员会断开重连`,
    links.closes > 0 && `断开 ${links.closes} 条链路`,
  ]
  return parts.filter(Boolean).join('，')
}

/** Stands behind the segments of a network with more kinds of members than are compared. */
export const PARTIAL = '成员较多，仅比较了部分成员的路由，实际变化的网段可能更多'

const lostText = (count: number): string => `${count} 个网段将不再互通`

const viaText = (via: readonly string[]): string => via.join('、')

/** `10.7.0.0/24（门店）不再互通`, and of a moved one its paths. */
export const routeText = ({
  prefix,
  router_name_note,
  effect,
  old_via,
  new_via,
}: NetworkImpact['moved_routes'][number]): string => {
  const segment = `${prefix}（${router_name_note}）`
  if (effect === 'moved') return `${segment}由经 ${viaText(old_via)} 改为经 ${viaText(new_via)}`
  return effect === 'lost' ? `${segment}不再互通` : `${segment}经 ${viaText(new_via)} 可达`
}

export function impactDetails({
  offline,
  offline_routers,
  links,
  moved_links,
  routes,
  moved_routes,
}: NetworkImpact): readonly string[] {
  const changed = routes.lost + routes.gained + routes.moved
  const total = links.reconnects + links.opens + links.closes
  const rest = (all: number, shown: readonly unknown[]) => (all > shown.length ? ` 等 ${all} 个` : '')
  const devices = offline_routers.map(({ router_name, router_name_note }) => router_name_note || router_name)
  const moved = moved_links.map(
    ({ router_name, router_name_note, center_router_name, center_router_name_note, effect }) =>
      `${router_name_note || router_name} → ${center_router_name_note || center_router_name} ${LINK_EFFECT_NAME[effect]}`,
  )
  return [
    ...(changed === 0 ? [] : [`网段：${moved_routes.map(routeText).join('；')}${rest(changed, moved_routes)}`]),
    ...(devices.length === 0 ? [] : [`离线设备：${devices.join('、')}${rest(offline, devices)}`]),
    ...(moved.length === 0 ? [] : [`链路：${moved.join('；')}${rest(total, moved)}`]),
  ]
}
