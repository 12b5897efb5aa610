import { UNREADABLE_REASON } from '#contract/kernel/states.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { BatchResult } from '#ui/state/batch-result.tsx'
import { ChannelNotice } from '#ui/state/connection-notice.tsx'
import { FailedPart, FailureStrip } from '#ui/state/failure-strip.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ErrorState, NoPermission, NothingFound, NothingWrong } from '#ui/state/page-states.tsx'
import { RunProgress } from '#ui/state/run-progress.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { Icon } from '#ui/state/state-icon.tsx'
import { ConfigTag, LinkBadge, SingleCenterBadge, StatusBadge } from '#ui/state/status-badge.tsx'
import { Ratio } from '#ui/table/count-cells.tsx'
import { ERROR, REASON, SAMPLE_NOW, type Samples, wait } from './sample.tsx'

/* Kit samples of state badges, notices and page states. */

const HOUR = 3_600_000

export const STATUS_SAMPLES: Samples = {
  成员: (
    <div className="nl-flow">
      <StatusBadge state="online" since={SAMPLE_NOW - 52 * HOUR} lastSeen={SAMPLE_NOW} />
      <StatusBadge state="reconnecting" reason="连接已关闭，等待设备重连" since={SAMPLE_NOW - 9_000} />
      <StatusBadge state="offline" reason={REASON.lost} since={SAMPLE_NOW - HOUR} lastSeen={SAMPLE_NOW - HOUR} />
      <StatusBadge state="flapping" reason={REASON.flapping} since={SAMPLE_NOW - HOUR} />
      <StatusBadge state="unreadable" reason={UNREADABLE_REASON} since={SAMPLE_NOW - HOUR} />
      <StatusBadge state="never" />
      <StatusBadge state="disabled" reason="由目录同步停用" />
      <StatusBadge state="offline" stale />
    </div>
  ),
  链路: (
    <div className="nl-flow">
      <LinkBadge state="up" since={SAMPLE_NOW - 5 * HOUR} />
      <LinkBadge state="down" reason="对端探测连续 3 次无响应" since={SAMPLE_NOW - HOUR} />
      <LinkBadge state="one_sided" reason="仅总部一侧报告连通" since={SAMPLE_NOW - HOUR} />
      <LinkBadge state="unknown" reason="中心点“总部”离线" />
      <LinkBadge state="up" stale />
      <SingleCenterBadge stale={false} />
      <Ratio of={64} total={66} isLacking />
      <Ratio of={0} total={0} />
    </div>
  ),
  配置: (
    <div className="nl-flow">
      <ConfigTag state="applied" since={SAMPLE_NOW - HOUR} />
      <ConfigTag state="pushing" />
      <ConfigTag state="queued" reason="设备离线，上线后自动下发" />
      <ConfigTag state="failed" reason="nft: syntax error, line 12" />
      <ConfigTag state="unsynced" reason="设备生效的配置与平台不一致" />
      <ConfigTag state="reverted" reason="120 秒内未能连回平台" />
    </div>
  ),
}

export function NoticeSamples() {
  return (
    <>
      <ChannelNotice isDown isPolled />
      <Notice role="status">已保存，正在下发到 3 台设备</Notice>
      <Notice tone="bad" role="alert" icon={<Icon shape="cross" tone="bad" />}>
        示例服务已停用，续费后恢复使用。
      </Notice>
      <FailureStrip>
        <Panel title="链路列表">
          <FailedPart error={ERROR} onRetry={() => wait(600)} />
        </Panel>
      </FailureStrip>
    </>
  )
}

const RESULT = Array.from({ length: 24 }, (_, index) => {
  const name = `branch${index + 1}`
  return index % 7 === 3 ? { name, done: false, note: '手机号码重复' } : { name, done: true }
})

export const CONTENT_SAMPLES: Samples = {
  没有找到: <NothingFound onClear={() => {}} />,
  没有异常: <NothingWrong onClear={() => {}} />,
  无权限: <NoPermission />,
  出错: <ErrorState error={ERROR} onRetry={() => {}} />,
  加载中: <Skeleton lines={5} />,
  数量未知: <RunProgress label="目录同步" phase="正在读取" done={1_500} total={0} unit="个用户" />,
  进行中: <RunProgress label="目录导入" phase="正在写入" done={420} total={2_000} unit="个成员" />,
  批量结果: <BatchResult label="批量添加结果" rows={RESULT} />,
}
