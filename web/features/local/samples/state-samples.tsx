import { SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { BatchResult, type BatchRow } from '#ui/state/batch-result.tsx'
import { ChannelNotice, OfflineBanner } from '#ui/state/connection-notice.tsx'
import { FailureStrip, FailedPart } from '#ui/state/failure-strip.tsx'
import { Icon } from '#ui/state/state-icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { RunProgress } from '#ui/state/run-progress.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NoPermission, NothingFound, NothingWrong } from '#ui/state/page-states.tsx'
import { ConfigTag, LinkBadge, SingleCenterBadge, StatusBadge } from '#ui/state/status-badge.tsx'
import { Ratio } from '#ui/table/count-cells.tsx'
import { REASON, SAMPLE_NOW, type Sample, wait } from './sample.tsx'
import styles from '../kit.module.css'

/* Kit samples of state badges, notices and page states. */

const HOUR = 3_600_000
const ERROR = new ApiError(500, SENTENCE.fault, { requestId: '8f3c2a9e-41d7' })
const retry = () => wait(600)

export const STATUS_SAMPLES: readonly Sample[] = [
  {
    title: '成员',
    content: (
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
    ),
  },
  {
    title: '链路',
    content: (
      <div className={styles.row}>
        <LinkBadge state="up" since={SAMPLE_NOW - 5 * HOUR} />
        <LinkBadge state="down" reason="对端探测连续 3 次无响应" since={SAMPLE_NOW - HOUR} />
        <LinkBadge state="one_sided" reason="仅总部一侧报告连通" since={SAMPLE_NOW - HOUR} />
        <LinkBadge state="unknown" reason="中心点“总部”离线" />
        <SingleCenterBadge stale={false} />
        <span>
          链路 <Ratio of={64} total={66} isLacking /> · 配置 <Ratio of={2_000} total={2_000} /> ·{' '}
          <Ratio of={0} total={0} />
        </span>
      </div>
    ),
  },
  {
    title: '配置',
    content: (
      <div className={styles.row}>
        <ConfigTag state="applied" since={SAMPLE_NOW - HOUR} />
        <ConfigTag state="pushing" />
        <ConfigTag state="queued" reason="设备离线，上线后自动下发" />
        <ConfigTag state="failed" reason="nft: syntax error, line 12" />
        <ConfigTag state="unsynced" reason="设备生效的配置与平台不一致" />
        <ConfigTag state="reverted" reason="120 秒内未能连回平台" />
      </div>
    ),
  },
  {
    title: '实时通道断开时',
    content: (
      <div className={styles.row}>
        <StatusBadge state="online" stale />
        <StatusBadge state="offline" stale />
        <LinkBadge state="up" stale />
      </div>
    ),
  },
]

export const NOTICE_SAMPLES: readonly Sample[] = [
  { content: <OfflineBanner /> },
  { content: <ChannelNotice isDown isPolled /> },
  { content: <ChannelNotice isDown isPolled={false} /> },
  {
    content: <Notice role="status">已保存，正在下发到 3 台设备</Notice>,
  },
  {
    content: (
      <Notice tone="bad" role="alert" icon={<Icon shape="cross" tone="bad" />}>
        示例服务已停用，续费后恢复使用。
      </Notice>
    ),
  },
  {
    content: (
      <FailureStrip>
        <div className={styles.grid}>
          {['链路', '24 小时状态'].map((title) => (
            <Panel key={title} title={title}>
              <FailedPart error={ERROR} onRetry={retry} />
            </Panel>
          ))}
        </div>
      </FailureStrip>
    ),
  },
]

const RESULT: readonly BatchRow[] = Array.from({ length: 24 }, (_, index) => {
  const name = `branch${String(index + 1).padStart(2, '0')}`
  return index % 7 === 3 ? { name, done: false, note: '手机号码重复' } : { name, done: true }
})

export const CONTENT_SAMPLES: readonly Sample[] = [
  { title: '没有找到', content: <NothingFound onClear={() => {}} /> },
  { title: '没有异常', content: <NothingWrong onClear={() => {}} /> },
  { title: '无权限', content: <NoPermission /> },
  { title: '出错', content: <ErrorState error={ERROR} onRetry={() => {}} /> },
  { title: '加载中', content: <Skeleton lines={5} /> },
  {
    title: '数量未知',
    content: <RunProgress label="目录同步" phase="正在读取" done={1_500} total={0} unit="个用户" />,
  },
  {
    title: '进行中',
    content: <RunProgress label="目录导入" phase="正在写入" done={420} total={2_000} unit="个成员" />,
  },
  { title: '批量结果', content: <BatchResult label="批量添加结果" rows={RESULT} /> },
]
