import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Output } from '../../../../worker/contract/endpoint.ts'
import { ROUTER_TYPE, type RouterType } from '../../../../worker/contract/limits.ts'
import type { routerApi } from '../../../../worker/contract/router.ts'
import { countText } from '../../../lib/format-unit.ts'
import './member-counts.css'

export type Quantity = Output<typeof routerApi.quantity>

interface MemberCountsProps {
  readonly type: RouterType
  readonly quantity: Quantity | undefined
  /** Left out where the suffix is not this user's to change. */
  readonly onEditSign?: (() => void) | undefined
}

/** How many members of the kind shown, and how many may be (network 2). */
export function MemberCounts({ type, quantity, onEditSign }: MemberCountsProps) {
  if (quantity === undefined) return <span aria-busy="true">—</span>
  const { hardware, hardware_online, software, software_online, software_max, sign } = quantity
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
      <span className={software >= software_max ? 'nl-members-full' : undefined}>
        软件成员{' '}
        <strong>
          {countText(software)} / {countText(software_max)}
        </strong>
      </span>
      <span>在线 {countText(software_online)}</span>
      <span>
        账号后缀 {sign === '' ? '未设置' : `@${sign}`}
        {onEditSign !== undefined && (
          <Button className="nl-members-sign" theme="borderless" size="small" onClick={onEditSign}>
            {sign === '' ? '设置' : '修改'}
          </Button>
        )}
      </span>
    </>
  )
}
