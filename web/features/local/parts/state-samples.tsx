import Button from '@douyinfe/semi-ui/lib/es/button'
import { ApiError } from '../../../lib/transport.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ErrorState, NoPermission, NothingFound, NothingYet } from '../../../ui/states.tsx'
import styles from '../kit.module.css'

const ERROR = new ApiError(500, '系统响应超时,请稍候尝试', { requestId: '8f3c2a9e-41d7' })

export function StateSamples() {
  return (
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
  )
}
