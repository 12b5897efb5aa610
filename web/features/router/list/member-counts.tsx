import Button from '@douyinfe/semi-ui/lib/es/button'
import { Link } from 'react-router'
import type { Output } from '#contract/kernel/endpoint.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { useReportedFailure } from '#ui/state/failure-strip.tsx'
import type { useRouterQuantity } from '../api.ts'
import { useOpenDialog } from './router-list-context.ts'
import styles from './router-list.module.css'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

export type Quantity = Output<typeof routerApi.quantity>

export const listStates = (type: RouterType, quantity: Quantity | undefined) =>
  type === ROUTER_TYPE.hardware ? quantity?.hardware_states : quantity?.software_states

interface MemberCountsProps {
  readonly type: RouterType
  readonly query: ReturnType<typeof useRouterQuantity>
  readonly canEditSign: boolean
}

/** Number of members of the kind shown, and its quota (network 2); the filter has them by state. */
export function MemberCounts({ type, query: { data, error, mutate }, canEditSign }: MemberCountsProps) {
  const open = useOpenDialog()
  useReportedFailure(data === undefined ? error : undefined, mutate)
  if (data === undefined) return <span aria-busy={error === undefined}>—</span>
  const { hardware, software, software_max, sign } = data.data
  if (type === ROUTER_TYPE.hardware) {
    return (
      <span>
        硬件成员 <strong>{countText(hardware)}</strong>
      </span>
    )
  }
  return (
    <>
      <span className={software >= software_max ? styles.full : undefined}>
        软件成员{' '}
        <strong>
          {countText(software)} / {countText(software_max)}
        </strong>
      </span>
      {software >= software_max && <Link to={paths.createTicket}>提交工单扩容</Link>}
      <span>
        账号后缀 {sign === '' ? '未设置' : `@${sign}`}
        {canEditSign && (
          <Button className={styles.inline} theme="borderless" size="small" onClick={() => open('sign')}>
            {sign === '' ? '设置' : '修改'}
          </Button>
        )}
      </span>
    </>
  )
}
