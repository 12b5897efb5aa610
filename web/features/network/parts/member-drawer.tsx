import { ROUTER_TYPE } from '../../../../worker/contract/limits.ts'
import { isOnline } from '../../../../worker/domain/health/member.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { Facts } from '../../../ui/facts.tsx'
import { ActionRow, type RowAction } from '../../../ui/row-actions.tsx'
import { SideDrawer } from '../../../ui/side-drawer.tsx'
import { SinceText, TimeText } from '../../../ui/time-text.tsx'
import { MEMBER_ROLE_NAME, routerTypeName } from '../network-text.ts'
import type { Link, Member } from '../projection.ts'
import { LinkList } from './link-list.tsx'
import { ConfigBadge, PresenceBadge } from '../../../ui/member-badges.tsx'
import styles from './member-drawer.module.css'
import { Addresses } from './member-table.tsx'

interface MemberDrawerProps {
  readonly member: Member
  readonly links: readonly Link[]
  readonly toName: (routerName: string) => string
  readonly isStale: boolean
  readonly actions: readonly RowAction[]
  readonly onClose: () => void
}

/** One member beside the graph: state, facts, links, actions. */
export function MemberDrawer({ member, links, toName, isStale, actions, onClose }: MemberDrawerProps) {
  const { presence, config } = member
  const own = links.filter((link) => [link.router_name, link.center_router_name].includes(member.router_name))
  return (
    <SideDrawer
      title={memberLabel(member)}
      onClose={onClose}
      footer={<ActionRow actions={actions} subject={memberLabel(member)} />}
    >
      <Facts
        facts={[
          { label: '状态', value: <PresenceBadge presence={member.presence} isStale={isStale} /> },
          { label: '原因', value: presence.reason || '—' },
          { label: '已持续', value: presence.since === null ? '—' : <SinceText at={presence.since} /> },
          ...(isOnline(presence)
            ? []
            : [{ label: '最近在线', value: <TimeText at={presence.last_seen} never="从未" /> }]),
          { label: member.router_type === ROUTER_TYPE.hardware ? '序列号' : '账号', value: member.router_name },
          { label: '角色', value: `${MEMBER_ROLE_NAME[member.member_type]} · ${routerTypeName(member.router_type)}` },
          { label: 'VPN IP', value: <Addresses addresses={member.vpn_ip} /> },
          { label: '版本', value: member.version || '—' },
          { label: '配置', value: <ConfigBadge config={config} isStale={isStale} /> },
          { label: '配置说明', value: config.reason || '—' },
        ]}
      />
      {own.length > 0 && <h3 className={styles.heading}>链路（{own.length}）</h3>}
      <LinkList links={own} isStale={isStale} toTitle={(link) => toName(otherEnd(link, member.router_name))} />
    </SideDrawer>
  )
}

const otherEnd = (link: Link, name: string): string =>
  link.router_name === name ? link.center_router_name : link.router_name
