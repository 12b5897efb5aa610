import type { ReactNode, ComponentProps } from 'react'
import { useSearchParams } from 'react-router'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { useRouterQuantity } from '../api.ts'
import { toRouterType } from './member-filter.ts'
import { DialogProvider, type RouterListDialogProps } from './router-list-context.ts'
import { RouterList } from './router-list.tsx'
import { useMemberRights } from '../rights.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'

const TABS = [
  { value: '1', label: '硬件成员' },
  { value: '2', label: '软件成员' },
] as const

/** Forms are chunks of their own: few visitors open them. */
const DIALOGS: ComponentProps<typeof DialogProvider>['table'] = {
  claim: lazyDialog(() => import('./claim-dialog.tsx').then((m) => ({ default: m.ClaimDialog }))),
  software: lazyDialog(() => import('./software-dialog.tsx').then((m) => ({ default: m.SoftwareDialog }))),
  batch: lazyDialog(() => import('./batch/batch-add-dialog.tsx').then((m) => ({ default: m.BatchAddDialog }))),
  sign: lazyDialog(() => import('#ui/member/sign-dialog.tsx').then((m) => ({ default: m.SignDialog }))),
}

function RouterListDialogs({ children, ...props }: RouterListDialogProps & { readonly children: ReactNode }) {
  return (
    <DialogProvider table={DIALOGS} props={props}>
      {children}
    </DialogProvider>
  )
}

/** Hardware and software members, each kind a list of its own (network 2). */
export function RouterListPage() {
  const [query, setQuery] = useSearchParams()
  const type = toRouterType(query.get('type'))
  const rights = useMemberRights()
  const channel = useAccountLive(() => {})
  const quantity = useRouterQuantity(channel === 'down')
  const { sign = '', software = 0 } = quantity.data?.data ?? {}
  const inTab = (list: ReactNode) => (
    <Tabs
      label="成员类型"
      value={type === ROUTER_TYPE.hardware ? '1' : '2'}
      options={TABS}
      onChange={(next) => setQuery(next === '1' ? {} : { type: next })}
    >
      {list}
    </Tabs>
  )
  return (
    <RouterListDialogs
      sign={sign}
      softwareCount={software}
      canEditSign={rights.editSign}
      addsIntoNetwork={rights.addsIntoNetwork}
    >
      <RouterList type={type} rights={rights} quantity={quantity} inTab={inTab} />
    </RouterListDialogs>
  )
}
