import { type ComponentType, type ReactNode, useRef } from 'react'
import { ERRORS } from '#contract/kernel/errors.ts'
import { useUser } from '#lib/session/session.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { NetworkInfo } from '../live-network.ts'
import { blockedBy, type NetworkRights, toActions } from '../rights.ts'
import {
  DialogProvider,
  type MemberDialogProps,
  type NetworkDialogProps,
  useOpenDialog,
} from '../settings/dialog-context.ts'
import { MEMBER_SETTINGS, MEMBER_VERBS, type MemberScope, NETWORK_SETTINGS, VERBS } from '../settings/dialog-table.ts'
import type { PrepareRollout } from './progress-notices.tsx'

/* Dialogs of the network page: the actions that open them, and the provider that shows them. */

const SETTINGS = 'settings'
const ROWS = [...VERBS, ...NETWORK_SETTINGS, ...MEMBER_SETTINGS, ...MEMBER_VERBS]
const LOCAL: ReadonlySet<string> = new Set([SETTINGS, ...ROWS.filter((row) => row.isLocal).map(({ key }) => key)])

const COMPONENTS: Readonly<Record<string, ComponentType<NetworkDialogProps & { readonly subject: string }>>> = {
  [SETTINGS]: lazyDialog(() => import('../settings/settings-drawer.tsx').then((m) => m.SettingsDrawer)),
  ...Object.fromEntries([...VERBS, ...NETWORK_SETTINGS].map(({ key, component }) => [key, component])),
  ...Object.fromEntries(MEMBER_SETTINGS.map((row) => [row.key, onMember(row, row.shows)])),
  ...Object.fromEntries(MEMBER_VERBS.map((row) => [row.key, onMember(row)])),
}

/** Actions of the page's head. The role's rights hide an action or block it with a reason. */
export function useDialogActions(
  info: NetworkInfo,
  rights: NetworkRights,
): Readonly<Record<string, readonly RowAction[]>> {
  const open = useOpenDialog()
  const toAction = ({ key, title, right, blocked }: (typeof VERBS)[number]) => {
    const reason = blockedBy(rights[right]) ?? blocked?.(info) ?? null
    return [key, toActions(rights[right], { label: title, blocked: reason, onSelect: () => open(key) })]
  }
  return {
    ...(Object.fromEntries(VERBS.map(toAction)) as Record<string, readonly RowAction[]>),
    [SETTINGS]: [{ label: '配置', onSelect: () => open(SETTINGS) }],
  }
}

interface NetworkDialogsProps {
  readonly info: NetworkInfo
  readonly prepare: PrepareRollout
  readonly children: ReactNode
}

export function NetworkDialogs({ info, prepare, children }: NetworkDialogsProps) {
  const onSaved = useRef(() => {})
  return (
    <DialogProvider
      table={COMPONENTS}
      props={{ info, onSaved: () => onSaved.current() }}
      onOpen={(key) => {
        onSaved.current = LOCAL.has(key) ? () => {} : prepare('saved')
      }}
    >
      {children}
    </DialogProvider>
  )
}

/**
 * Dialog of one member, found by its name. It shows a message if the member has left the network or `shows` is no longer
 * true.
 */
export function onMember(
  { title, component: Component }: { title: string; component: ComponentType<MemberDialogProps> },
  shows: (scope: MemberScope) => boolean = () => true,
) {
  return function MemberDialog({ subject, ...props }: NetworkDialogProps & { readonly subject: string }) {
    const { auth } = useUser()
    const { info, onClose } = props
    const member = info.member.find(({ router_name }) => router_name === subject)
    if (member !== undefined && shows({ info, auth, member })) return <Component {...props} member={member} />
    return (
      <Dialog title={title} widthPx={440} onClose={onClose}>
        <p>{member === undefined ? ERRORS.MEMBER_NOT_IN_NETWORK.msg : '成员的角色已变化，不再有此项配置'}</p>
      </Dialog>
    )
  }
}
