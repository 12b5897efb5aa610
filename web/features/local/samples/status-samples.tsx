import { Panel } from '#ui/layout/panel.tsx'
import { ConfigTag, LinkBadge, StatusBadge } from '#ui/state/status-badge.tsx'
import { REASON, SAMPLE_NOW } from './sample-data.ts'
import styles from '../kit.module.css'

const HOUR = 3_600_000

export function StatusSamples() {
  return (
    <div className={styles.grid}>
      <Panel title="成员">
        <div className={styles.row}>
          <StatusBadge state="online" since={SAMPLE_NOW - 52 * HOUR} lastSeen={SAMPLE_NOW} />
          <StatusBadge state="reconnecting" reason="连接已关闭，等待设备重连" since={SAMPLE_NOW - 9_000} />
          <StatusBadge
            state="offline"
            reason={REASON.lost}
            since={SAMPLE_NOW - 3 * HOUR}
            lastSeen={SAMPLE_NOW - 3 * HOUR}
          />
          <StatusBadge state="flapping" reason={REASON.flapping} since={SAMPLE_NOW - HOUR} />
          <StatusBadge state="never" />
          <StatusBadge state="disabled" reason="由目录同步停用" />
          <StatusBadge state="unknown" reason="平台侧状态暂不可用" />
        </div>
      </Panel>
      <Panel title="链路">
        <div className={styles.row}>
          <LinkBadge state="up" since={SAMPLE_NOW - 5 * HOUR} />
          <LinkBadge state="down" reason="对端探测连续 3 次无响应" since={SAMPLE_NOW - HOUR} />
          <LinkBadge state="one_sided" reason="仅总部一侧报告连通" since={SAMPLE_NOW - HOUR} />
          <LinkBadge state="unknown" reason="中心点“总部”离线" />
        </div>
      </Panel>
      <Panel title="配置">
        <div className={styles.row}>
          <ConfigTag state="applied" since={SAMPLE_NOW - HOUR} />
          <ConfigTag state="pushing" />
          <ConfigTag state="queued" reason="设备离线，上线后自动下发" />
          <ConfigTag state="failed" reason="nft: syntax error, line 12" />
          <ConfigTag state="unsynced" reason="设备生效的配置与平台不一致" />
          <ConfigTag state="reverted" reason="120 秒内未能连回平台" />
        </div>
      </Panel>
      <Panel title="实时通道断开时">
        <div className={styles.row}>
          <StatusBadge state="online" stale />
          <StatusBadge state="offline" stale />
          <LinkBadge state="up" stale />
        </div>
      </Panel>
    </div>
  )
}
