import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Output } from '../../../../worker/contract/endpoint.ts'
import { ROUTER_TYPE, type RouterType } from '../../../../worker/contract/limits.ts'
import type { routerApi } from '../../../../worker/contract/router.ts'
import { countText } from '../../../lib/format-unit.ts'
import type { useRouterQuantity } from '../api.ts'
import { useOpenDialog } from '../dialogs/open-dialog.ts'
import styles from './member-counts.module.css'

export type Quantity = Output<typeof routerApi.quantity>

interface MemberCountsProps {
  readonly type: RouterType
  readonly query: ReturnType<typeof useRouterQuantity>
  readonly canEditSign: boolean
}

/** Counts and quota of the kind shown (network 2). */
export function MemberCounts({ type, query: { data, error, mutate }, canEditSign }: MemberCountsProps) {
  const open = useOpenDialog()
  if (data === undefined && error !== undefined)
    return (
      <span role="alert">
        成员数量读取失败
        <Button className={styles.inline} theme="borderless" size="small" onClick={() => void mutate()}>
          重试
        </Button>
      </span>
    )
  if (data === undefined) return <span aria-busy="true">—</span>
  const { hardware, hardware_online, software, software_online, software_max, sign } = data.data
  if (type === ROUTER_TYPE.hardware) {
    return (
      <>
        <span>
          硬件成员 <strong>{countText(hardware)}</strong>
        </span>
        <span>在线 {countText(hardware_online)}</span>
      </>
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
      <span>在线 {countText(software_online)}</span>
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
