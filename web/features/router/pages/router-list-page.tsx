import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ERRORS } from '../../../../worker/contract/errors.ts'
import { ROUTER_TYPE, type RouterType } from '../../../../worker/contract/limits.ts'
import { routerApi } from '../../../../worker/contract/router.ts'
import { useQuery, useRefresh } from '../../../lib/use-endpoint.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { SignDialog } from '../dialogs/sign-dialog.tsx'
import { typeOf } from '../member-filter.ts'
import { MemberCounts, type Quantity } from '../parts/member-counts.tsx'
import { MemberList } from '../parts/member-list.tsx'
import { useMemberRights } from '../rights.ts'
import { useMemberStates } from '../use-member-states.ts'

const ClaimDialog = lazy(() => import('../dialogs/claim-dialog.tsx').then((m) => ({ default: m.ClaimDialog })))
const SoftwareDialog = lazy(() => import('../dialogs/software-dialog.tsx').then((m) => ({ default: m.SoftwareDialog })))

const TABS = [
  { value: '1', label: '硬件成员' },
  { value: '2', label: '软件成员' },
] as const

export function RouterListPage() {
  const [query, setQuery] = useSearchParams()
  const type = typeOf(query.get('type'))
  const isHardware = type === ROUTER_TYPE.hardware
  const rights = useMemberRights()
  const refresh = useRefresh()
  const quantity = useQuery(routerApi.quantity, {}).data?.data
  const { pushed, channel } = useMemberStates({
    onMoved: () => refresh([routerApi.quantity]),
    onMissed: () => refresh([routerApi.quantity, routerApi.lists]),
  })
  const [isAdding, setAdding] = useState(false)
  const [isSigning, setSigning] = useState(false)
  const editSign = rights.editSign ? () => setSigning(true) : undefined

  const add = rights.add && (
    <ActionButton
      theme="solid"
      type="primary"
      blocked={rights.addBlocked ?? (isHardware ? null : softwareBlocked(quantity))}
      onClick={() => setAdding(true)}
    >
      {isHardware ? '添加硬件成员' : '添加软件成员'}
    </ActionButton>
  )
  return (
    <>
      <PageHeader
        title="成员列表"
        facts={<MemberCounts type={type} quantity={quantity} onEditSign={editSign} />}
        actions={add}
      />
      <Tabs
        label="成员类型"
        value={isHardware ? '1' : '2'}
        options={TABS}
        onChange={(next) => setQuery(next === '1' ? {} : { type: next })}
      >
        <MemberList key={type} type={type} rights={rights} pushed={pushed} channel={channel} add={add} />
      </Tabs>
      {isAdding && (
        <Suspense fallback={null}>
          <AddDialog type={type} sign={quantity?.sign ?? ''} onEditSign={editSign} onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {isSigning && quantity !== undefined && (
        <SignDialog sign={quantity.sign} memberCount={quantity.software} onClose={() => setSigning(false)} />
      )}
    </>
  )
}

interface AddDialogProps {
  readonly type: RouterType
  readonly sign: string
  readonly onEditSign: (() => void) | undefined
  readonly onClose: () => void
}

function AddDialog({ type, onClose, ...software }: AddDialogProps) {
  if (type === ROUTER_TYPE.hardware) return <ClaimDialog onClose={onClose} />
  return <SoftwareDialog {...software} onClose={onClose} />
}

/** Known before the server says so; a suffix that is missing is asked for inside the dialog. */
function softwareBlocked(quantity: Quantity | undefined): string | null {
  if (quantity === undefined) return '成员数量尚未读取，请稍候或刷新页面'
  if (quantity.software < quantity.software_max) return null
  return ERRORS.SOFTWARE_LIMIT_REACHED.msg.replace('{limit}', String(quantity.software_max))
}
