import Button from '@douyinfe/semi-ui/lib/es/button'
import { countText } from '../../../lib/format-unit.ts'
import { toErrorView } from '../../../ui/error-view.ts'
import { Notice } from '../../../ui/notice.tsx'
import { StatTile, StatTiles } from '../../../ui/stat-tile.tsx'
import { useNetworkQuota } from '../api.ts'
import { levelName, seatsText } from '../network-text.ts'

/** Service level and member quota of the account (network 2). */
export function QuotaCards() {
  const { data, error, mutate } = useNetworkQuota()
  const config = data?.data
  if (config === undefined && error !== undefined)
    return (
      <Notice tone="bad" role="alert" actions={<Button onClick={() => void mutate()}>重试</Button>}>
        配额读取失败：{toErrorView(error).message}
      </Notice>
    )
  const { network_level = 0, network_router_use: used = 0, network_router_count: quota = 0 } = config ?? {}
  const tooMany = used - quota
  const missing = config === undefined ? null : seatsText(config)
  const share = quota === 0 ? (used > 0 ? 1 : 0) : Math.min(1, used / quota)
  const tile = config === undefined ? null : `${countText(used)} / ${countText(quota)}`
  return (
    <StatTiles isLoading={config === undefined}>
      <StatTile label="服务等级" value={config === undefined ? '—' : levelName(network_level)} />
      <StatTile
        label="席位（每个组网各计一次）"
        value={tile ?? '—'}
        share={share}
        {...(missing !== null && { note: missing, tone: 'warn' })}
        {...(tooMany > 0 && quota > 0 && { note: `超出 ${countText(tooMany)} 个`, tone: 'bad' })}
      />
      <StatTile
        label="每个组网的中心点"
        value={config === undefined ? '—' : `最多 ${config.network_center_count} 个`}
      />
    </StatTiles>
  )
}
