import Button from '@douyinfe/semi-ui/lib/es/button'
import { countText } from '../../../lib/format-unit.ts'
import { toErrorView } from '../../../ui/error-view.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useNetworkQuota } from '../api.ts'
import { levelName } from '../network-text.ts'
import styles from './quota-cards.module.css'

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
  const share = quota === 0 ? (used > 0 ? 1 : 0) : Math.min(1, used / quota)
  return (
    <dl className={styles.quota} aria-busy={config === undefined}>
      <div>
        <dt>服务等级</dt>
        <dd>{config === undefined ? '—' : levelName(network_level)}</dd>
      </div>
      <div className={tooMany > 0 ? styles.over : undefined}>
        <dt>席位（每个组网各计一次）</dt>
        <dd>
          {config === undefined ? '—' : `${countText(used)} / ${countText(quota)}`}
          {tooMany > 0 && <small>超出 {countText(tooMany)} 个</small>}
        </dd>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </div>
      <div>
        <dt>每个组网的中心点</dt>
        <dd>{config === undefined ? '—' : `最多 ${config.network_center_count} 个`}</dd>
      </div>
    </dl>
  )
}
