import { useNavigate } from 'react-router'
import { shownSince } from '#contract/kernel/states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { PresenceBadge } from '#ui/member/member-badges.tsx'
import { ActionRow, type RowAction } from '#ui/table/row-actions.tsx'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { useRouterInfo } from '../api.ts'
import { NetworkRows } from '../detail/network-rows.tsx'
import { MemberProfiles } from '../members/member-profiles.tsx'
import { sharedBlocked } from '../rights.ts'
import { clientText, phoneText, type RouterRow, sourceText } from '../router-text.ts'
import { AccountStatus } from './member-columns.tsx'
import styles from './router-list.module.css'

/* Drawer of one software member of the list: facts, networks, profiles and actions. */

interface MemberDrawerProps {
  readonly member: RouterRow
  readonly isStale: boolean
  readonly actions: readonly RowAction[]
  /** The role edits members. */
  readonly canEdit: boolean
  readonly onClose: () => void
}

export function MemberDrawer({ member, isStale, actions, canEdit, onClose }: MemberDrawerProps) {
  const { router_name, presence } = member
  const since = shownSince(presence)
  const navigate = useNavigate()
  const ask = () => void navigate(paths.ticketAbout({ router_name }))
  return (
    <SideDrawer
      title={memberLabel(member)}
      onClose={onClose}
      footer={<ActionRow actions={[{ label: '提交工单', onSelect: ask }, ...actions]} subject={router_name} />}
    >
      <div className={styles.facts}>
        <Facts
          facts={[
            { label: '账号', value: <CopyText text={router_name} label="复制账号" /> },
            {
              label: '状态',
              value: <PresenceBadge presence={presence} type={ROUTER_TYPE.software} isStale={isStale} />,
            },
            ...(since === null ? [] : [{ label: '已持续', value: <SinceText at={since} /> }]),
            ...(presence.reason === '' ? [] : [{ label: '原因', value: presence.reason }]),
            { label: '手机号码', value: phoneText(member.area_code, member.phone) },
            { label: '来源', value: sourceText(member) },
            { label: '账号状态', value: <AccountStatus status={member.status} /> },
            { label: '客户端', value: clientText(member) },
            { label: '创建时间', value: <TimeText at={member.create_time} /> },
          ]}
        />
      </div>
      <h3 className={styles.title}>所属组网</h3>
      <MemberNetworks routerName={router_name} />
      <h3 className={styles.title}>接入配置</h3>
      <MemberProfiles routerName={router_name} canRevoke={canEdit} blocked={sharedBlocked(member)} />
    </SideDrawer>
  )
}

function MemberNetworks({ routerName }: { readonly routerName: string }) {
  const { data, error, mutate } = useRouterInfo(routerName)
  if (data === undefined) return <Loading query={{ error, mutate }} />
  return <NetworkRows networks={data.data.network} />
}
