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

export function impactText({ routers, offline, links }: NetworkImpact): string {
  if (routers === 0) return '设备配置无变化'
  const parts = [
    `保存后更新 ${routers} 台设备`,
    offline > 0 && `其中 ${offline} 台离线，上线后下发`,
    links.reconnects > 0 && `${links.reconnects} 条链路会断开重连`,
    links.opens > 0 && `新建 ${links.opens} 条链路`,
    links.closes > 0 && `断开 ${links.closes} 条链路`,
  ]
  return parts.filter(Boolean).join('，')
}

export function impactDetails({ offline, offline_routers, links, moved_links }: NetworkImpact): readonly string[] {
  const total = links.reconnects + links.opens + links.closes
  const rest = (all: number, shown: readonly unknown[]) => (all > shown.length ? ` 等 ${all} 个` : '')
  const devices = offline_routers.map(({ router_name, router_name_note }) => router_name_note || router_name)
  const moved = moved_links.map(
    ({ router_name, router_name_note, center_router_name, center_router_name_note, effect }) =>
      `${router_name_note || router_name} → ${center_router_name_note || center_router_name} ${LINK_EFFECT_NAME[effect]}`,
  )
  return [
    ...(devices.length === 0 ? [] : [`离线设备：${devices.join('、')}${rest(offline, devices)}`]),
    ...(moved.length === 0 ? [] : [`链路：${moved.join('；')}${rest(total, moved)}`]),
  ]
}
