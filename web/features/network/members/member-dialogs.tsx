import type { Input } from '#contract/kernel/endpoint.ts'
import type { routerApi } from '#contract/router/index.ts'
import { MemberNoteDialog } from '#ui/member/member-note-dialog.tsx'
import { MemberPasswordDialog as PasswordDialog } from '#ui/member/member-password-dialog.tsx'
import { PhoneDialog as LoadedPhoneDialog } from '#ui/member/phone-dialog.tsx'
import { StaticRoutesDialog as RoutesDialog } from '#ui/member/static-routes-dialog.tsx'
import { useMemberInfo } from '../api.ts'
import { confirmLostRoutes } from '../settings/confirm-lost-routes.ts'
import type { MemberDialogProps } from '../settings/dialog-context.ts'
import { ImpactList } from '../settings/impact-list.tsx'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'

/* Dialogs of one member on the network page: note, phone, password and static routes. */

/** Dialog of the note. The list of members has no revision of it, so the member is read first. */
export function NoteDialog({ member: { router_name }, onClose }: MemberDialogProps) {
  const query = useMemberInfo(router_name)
  if (query.data === undefined) return <LoadingDialog title="修改备注" query={query} onClose={onClose} />
  return <MemberNoteDialog info={query.data.data} onClose={onClose} />
}

/** Dialog that binds a phone (绑定手机). The list of members has no phone numbers, so the member is read first. */
export function PhoneDialog({ member: { router_name }, onClose }: MemberDialogProps) {
  const query = useMemberInfo(router_name)
  if (query.data === undefined) return <LoadingDialog title="绑定手机" query={query} onClose={onClose} />
  return <LoadedPhoneDialog info={query.data.data} onClose={onClose} />
}

export function MemberPasswordDialog({ member, onClose }: MemberDialogProps) {
  return <PasswordDialog info={member} onClose={onClose} />
}

export function StaticRoutesDialog({
  info: { network_number },
  member: { router_name },
  ...handlers
}: MemberDialogProps) {
  const toRequest = (routes: StaticRouteRows) =>
    ({ call: 'static_routes', input: { network_number, router_name, routes } }) as const
  return (
    <RoutesDialog
      routerName={router_name}
      toFoot={(routes) => <ImpactList request={toRequest(routes)} />}
      confirmSave={(routes) => confirmLostRoutes(toRequest(routes))}
      {...handlers}
    />
  )
}

type StaticRouteRows = Input<typeof routerApi.staticRoutes>['routes']
