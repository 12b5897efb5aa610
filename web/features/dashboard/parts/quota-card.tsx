import { paths } from '../../../lib/paths.ts'
import { countText } from '../../../lib/format-unit.ts'
import { useNetworkQuota } from '../api.ts'
import { Card } from './card.tsx'
import { Meter, Meters } from '../../../ui/meter.tsx'
import styles from './quota-card.module.css'

const NEARLY_FULL = 0.9

export function QuotaCard() {
  const query = useNetworkQuota()
  return (
    <Card title="席位" more={paths.services} query={query}>
      {({ data: { network_router_use: used, network_router_count: total, network_level, network_center_count } }) => {
        const left = total - used
        return (
          <Meters>
            <Meter
              label="席位（每个组网各计一次）"
              used={used}
              total={total}
              tone={left < 0 ? 'bad' : used >= total * NEARLY_FULL ? 'warn' : 'accent'}
              note={left < 0 ? `已超出 ${countText(-left)} 个，部分组网停用` : `剩余 ${countText(left)} 个`}
            />
            <dl className={styles.pairs}>
              <dt>服务等级</dt>
              <dd>{network_level === 1 ? '基础版' : '标准版'}</dd>
              <dt>每个组网的中心点</dt>
              <dd>{countText(network_center_count)} 个</dd>
            </dl>
          </Meters>
        )
      }}
    </Card>
  )
}
