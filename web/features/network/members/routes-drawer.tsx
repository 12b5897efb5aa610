import { useState } from 'react'
import { memberLabel } from '#lib/format/member-label.ts'
import { EffectiveRoutes } from '#ui/member/effective-routes.tsx'
import { Select } from '#ui/form/inputs/select.tsx'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import type { NetworkDialogProps } from '../settings/dialog-context.ts'
import styles from '../detail/network-detail.module.css'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** 有效路由 of one hardware member of the network, the one it was opened on or the first point. */
export function RoutesDrawer({ info, subject, onClose }: NetworkDialogProps & { readonly subject: string }) {
  const hardware = info.member.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware)
  const first = hardware.find(({ member_type }) => member_type === 'point') ?? hardware[0]
  const [name, setName] = useState(subject || (first?.router_name ?? ''))
  return (
    <SideDrawer title="有效路由" widthPx={720} onClose={onClose}>
      <div className={styles.member}>
        <span id="routes-member" className="nl-label">
          成员
        </span>
        <Select
          aria-labelledby="routes-member"
          value={name}
          onChange={(chosen) => setName(String(chosen))}
          optionList={hardware.map((member) => ({ value: member.router_name, label: memberLabel(member) }))}
          filter
          motion={false} // with it, onChange fires only after the closing animation
        />
      </div>
      {name !== '' && <EffectiveRoutes key={name} networkNumber={info.network_number} routerName={name} />}
    </SideDrawer>
  )
}
