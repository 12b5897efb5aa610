import { useState } from 'react'
import { memberLabel } from '#lib/format/member-label.ts'
import { ActualRoutes } from '#ui/member/routes/actual-routes.tsx'
import { RoutesChoice } from '#ui/member/routes/routes-choice.tsx'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import type { NetworkDialogProps } from '../settings/dialog-context.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** Drawer of effective routes (有效路由) of a hardware member: the one it was opened on, or else the first point. */
export function RoutesDrawer({ info, subject, onClose }: NetworkDialogProps & { readonly subject: string }) {
  const hardware = info.member.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware)
  const first = hardware.find(({ member_type }) => member_type === 'point') ?? hardware[0]
  const [name, setName] = useState(subject || (first?.router_name ?? ''))
  return (
    <SideDrawer title="有效路由" widthPx={720} onClose={onClose}>
      <RoutesChoice
        label="成员"
        value={name}
        onChange={setName}
        options={hardware.map((member) => ({ value: member.router_name, label: memberLabel(member) }))}
        filter
      />
      {name !== '' && <ActualRoutes key={name} networkNumber={info.network_number} routerName={name} />}
    </SideDrawer>
  )
}
