import Button from '@douyinfe/semi-ui/lib/es/button'
import { SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import { ChannelNotice } from '#ui/state/channel-notice.tsx'
import { FailedPart } from '#ui/state/failed-part.tsx'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { OfflineBanner } from '#ui/state/offline-notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NoPermission, NothingFound, NothingYet } from '#ui/state/states.tsx'
import styles from '../kit.module.css'

const ERROR = new ApiError(500, SENTENCE.fault, { requestId: '8f3c2a9e-41d7' })

const wait = () => new Promise((resolve) => setTimeout(resolve, 600))

/** Banners, the strip over parts that failed, and placeholders of content. */
export function StateSamples() {
  return (
    <>
      <OfflineBanner />
      <ChannelNotice isDown isPolled />
      <ChannelNotice isDown isPolled={false} />
      <FailureStrip>
        <div className={styles.grid}>
          <Panel title="链路">
            <FailedPart error={ERROR} onRetry={wait} />
          </Panel>
          <Panel title="24 小时状态">
            <FailedPart error={ERROR} onRetry={wait} />
          </Panel>
        </div>
      </FailureStrip>
      <div className={styles.grid}>
        <Panel>
          <NothingYet
            hint="组网把路由器和客户端连接成一张私有网络。"
            action={
              <Button theme="solid" type="primary">
                创建组网
              </Button>
            }
          />
        </Panel>
        <Panel>
          <NothingFound onClear={() => {}} />
        </Panel>
        <Panel>
          <NoPermission />
        </Panel>
        <Panel>
          <ErrorState error={ERROR} onRetry={() => {}} />
        </Panel>
        <Panel title="加载中">
          <Skeleton lines={5} />
        </Panel>
      </div>
    </>
  )
}
