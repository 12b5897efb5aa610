import { useNavigate } from 'react-router'
import { isPresent } from '#domain/health/member.ts'
import { configVersionText } from '#lib/format/config-version.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { ConfigBadge, PresenceBadge } from '#ui/member/member-badges.tsx'
import { ActionRow, type RowAction } from '#ui/table/row-actions.tsx'
import { RouterHistory } from '#ui/member/router-history.tsx'
import { SidePanel } from '#ui/dialog/side-panel.tsx'
import { SingleCenterBadge } from '#ui/state/status-badge.tsx'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { shownSince } from '#contract/kernel/states.ts'
import { useOpenDialog } from '../settings/dialog-context.ts'
import { vpnAddresses } from '../network-order.ts'
import { MEMBER_ROLE_NAME, routerTypeName } from '../network-text.ts'
import type { Link, Member, NetworkInfo } from '../projection.ts'
import { useMemberSettings } from '../settings/use-settings.ts'
import { LinkList } from '../detail/link-list.tsx'
import { linksText, VpnAddresses } from './member-columns.tsx'
import { SettingList } from '../settings/setting-list.tsx'
import styles from './panel-list.module.css'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

interface MemberPanelProps {
  readonly info: NetworkInfo
  readonly member: Member
  /** Links of the member, in their order. */
  readonly links: readonly Link[]
  readonly isSingleCenter: boolean
  readonly toName: (routerName: string) => string
  readonly isStale: boolean
  readonly actions: readonly RowAction[]
  readonly onLink: (link: Link) => void
  readonly onClose: () => void
}

/** Panel of one member, next to drawing or table. */
export function MemberPanel(props: MemberPanelProps) {
  const { info, member, links, isSingleCenter, toName, isStale, actions, onLink, onClose } = props
  const openDetail = () => void window.open(paths.router(member.router_name), '_blank', 'noopener') // network 2: in a new tab
  const isHardware = member.router_type === ROUTER_TYPE.hardware
  const settings = useMemberSettings(info, member)
  const open = useOpenDialog()
  const ofHardware = [
    { label: '详情', onSelect: openDetail },
    { label: '有效路由', onSelect: () => open('routes', member.router_name) },
  ]
  const navigate = useNavigate()
  const ask = () => void navigate(paths.ticketAbout({ router_name: member.router_name }))
  const all = [...(isHardware ? ofHardware : []), { label: '提交工单', onSelect: ask }, ...actions]
  const toOther = (link: Link) =>
    toName(link.router_name === member.router_name ? link.center_router_name : link.router_name)
  return (
    <SidePanel
      title={memberLabel(member)}
      onClose={onClose}
      footer={<ActionRow actions={all} subject={memberLabel(member)} />}
    >
      <div className={styles.facts}>
        <Facts facts={[...stateFacts(member, isStale), ...deviceFacts(member)]} />
        {member.vpn_ip.length > 0 && (
          <>
            <h3 className={styles.heading}>VPN IP</h3>
            <VpnAddresses addresses={vpnAddresses(member, links, toName)} />
          </>
        )}
      </div>
      {links.length > 0 && (
        <>
          <h3 className={styles.heading}>
            链路 {linksText(links)} {isSingleCenter && <SingleCenterBadge stale={isStale} />}
          </h3>
          <LinkList label="链路" links={links} isStale={isStale} toTitle={toOther} onOpen={onLink} />
        </>
      )}
      {settings.map((group) => (
        <SettingList key={group.group} label={`${group.group}配置`} settings={group.settings} />
      ))}
      <h3 className={styles.heading}>最近状态变化</h3>
      <RouterHistory routerName={member.router_name} type={member.router_type} label="最近状态变化" />
    </SidePanel>
  )
}

/** Facts of the state that are known: a row without a value says nothing. */
function stateFacts({ presence, config, router_type }: Member, isStale: boolean): readonly Fact[] {
  const since = shownSince(presence)
  return [
    { label: '状态', value: <PresenceBadge presence={presence} type={router_type} isStale={isStale} /> },
    ...(since === null ? [] : [{ label: '已持续', value: <SinceText at={since} /> }]),
    ...(presence.reason === '' ? [] : [{ label: '原因', value: presence.reason }]),
    ...(isPresent(presence.state) || presence.last_seen === null
      ? []
      : [{ label: '最近在线', value: <TimeText at={presence.last_seen} /> }]),
    ...(config.state === 'none'
      ? []
      : [
          { label: '配置', value: <ConfigBadge config={config} isStale={isStale} /> },
          { label: '配置版本', value: configVersionText(config) },
        ]),
    ...(config.reason === '' ? [] : [{ label: '配置说明', value: config.reason }]),
  ]
}

function deviceFacts({ router_name, note, member_type, router_type, lan, remote_ip, version }: Member): Fact[] {
  const isHardware = router_type === ROUTER_TYPE.hardware
  return [
    ...(note === '' ? [] : [{ label: isHardware ? '序列号' : '账号', value: <CopyText text={router_name} /> }]),
    { label: '角色', value: `${MEMBER_ROLE_NAME[member_type]} · ${routerTypeName(router_type)}` },
    ...(lan.length === 0 ? [] : [{ label: 'LAN 网段', value: <span className="nl-mono">{lan.join('、')}</span> }]),
    ...(remote_ip === '' ? [] : [{ label: '公网 IP', value: <CopyText text={remote_ip} label="复制公网 IP" /> }]),
    ...(version === '' ? [] : [{ label: '版本', value: version }]),
  ]
}
