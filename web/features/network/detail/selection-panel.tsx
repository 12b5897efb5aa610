import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { shownSince } from '#contract/kernel/states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { isPresent } from '#domain/health/member.ts'
import { configVersionText } from '#lib/format/config-version.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { SidePanel } from '#ui/dialog/side-panel.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { ConfigBadge, PresenceBadge } from '#ui/member/member-badges.tsx'
import { RouterHistory } from '#ui/member/router-history.tsx'
import { SingleCenterBadge } from '#ui/state/status-badge.tsx'
import { ActionRow, type RowAction } from '#ui/table/row-actions.tsx'
import { memberLinksText, VpnAddresses } from '../members/member-columns.tsx'
import { vpnAddresses } from '../network-order.ts'
import { MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { routerTypeName } from '../network-text.ts'
import type { LinkRates } from '../link-rates.ts'
import type { Link, Member, NetworkInfo } from '../live-network.ts'
import { networkRights, toActions } from '../rights.ts'
import { useOpenDialog } from '../settings/dialog-context.ts'
import { SettingList, useMemberSettings } from '../settings/setting-list.tsx'
import type { TopologySelection } from '../topology/topology.tsx'
import { LinkList, LinkPanel } from './link-panel.tsx'
import styles from './network-detail.module.css'
import type { useFilteredMembers } from './use-filtered-members.ts'

/* Panel beside the view of a network: facts, links, settings and actions of the selected member, link or links. */

const TAB = 'panel'

/** Selected member or link, kept in the address as `member` or `link`. A selection of several links is not kept there. */
export function useSelection(): readonly [TopologySelection | null, (picked: TopologySelection | null) => void] {
  const [query, setQuery] = useSearchParams()
  const [several, setSeveral] = useState<TopologySelection | null>(null)
  const [member, link] = [query.get('member'), query.get('link')]
  const select = (picked: TopologySelection | null) => {
    const ids = picked?.kind === 'links' ? picked.ids : []
    setSeveral(ids.length > 1 ? picked : null)
    const to = new URLSearchParams(query)
    to.delete('member')
    to.delete('link')
    if (picked === null) to.delete(TAB)
    if (picked?.kind === 'member') to.set('member', picked.name)
    if (ids.length === 1) to.set('link', ids[0] ?? '')
    setQuery(to, { replace: true })
  }
  if (member !== null) return [{ kind: 'member', name: member }, select]
  if (link !== null) return [{ kind: 'links', ids: [link] }, select]
  return [several, select]
}

interface SelectionPanelProps {
  readonly info: NetworkInfo
  readonly picked: TopologySelection | null
  readonly rates: LinkRates
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly isStale: boolean
  readonly toRowActions: (member: Member) => readonly RowAction[]
  readonly onSelect: (picked: TopologySelection | null) => void
}

/** The panel; null if the network does not have the selected member. */
export function SelectionPanel({ picked, ...rest }: SelectionPanelProps) {
  const { sortedLinks, toMember } = rest.shown
  if (picked === null) return null
  if (picked.kind === 'links')
    return <LinkPanel links={sortedLinks().filter(({ id }) => picked.ids.includes(id))} {...rest} />
  const member = toMember(picked.name)
  return member === undefined ? null : <MemberPanel key={picked.name} member={member} {...rest} />
}

interface MemberPanelProps extends Omit<SelectionPanelProps, 'picked'> {
  readonly member: Member
}

const TABS = [
  { value: 'overview', label: '概览' },
  { value: 'links', label: '链路' },
  { value: 'settings', label: '配置' },
] as const
type PanelTab = (typeof TABS)[number]['value']

/** Tab of the member's panel, in the address; it stays when another member is selected. */
function usePanelTab(): readonly [PanelTab, (tab: PanelTab) => void] {
  const [query, setQuery] = useSearchParams()
  const tab = TABS.find(({ value }) => value === query.get(TAB))?.value ?? 'overview'
  const setTab = (next: PanelTab) => {
    const to = new URLSearchParams(query)
    if (next === 'overview') to.delete(TAB)
    else to.set(TAB, next)
    setQuery(to, { replace: true })
  }
  return [tab, setTab]
}

function MemberPanel(props: MemberPanelProps) {
  const { info, member, toRowActions, onSelect } = props
  const [tab, setTab] = usePanelTab()
  const openDetail = () => void window.open(paths.router(member.router_name), '_blank', 'noopener') // network 2: in a new tab
  const settings = useMemberSettings(info, member)
  const open = useOpenDialog()
  const rights = networkRights(useGrants(), info)
  const ofHardware = [
    { label: '详情', onSelect: openDetail },
    { label: '有效路由', onSelect: () => open('routes', member.router_name) },
    ...toActions(rights.set, { label: '诊断', onSelect: () => open('diagnose', member.router_name) }),
  ]
  const navigate = useNavigate()
  const ask = () => void navigate(paths.ticketAbout({ router_name: member.router_name }))
  const isHardware = member.router_type === ROUTER_TYPE.hardware
  const all = [...(isHardware ? ofHardware : []), { label: '提交工单', onSelect: ask }, ...toRowActions(member)]
  return (
    <SidePanel
      title={memberLabel(member)}
      onClose={() => onSelect(null)}
      footer={<ActionRow actions={all} subject={memberLabel(member)} />}
    >
      <div className={styles.tabs}>
        <Tabs label={`${memberLabel(member)}的内容`} value={tab} options={TABS} onChange={setTab}>
          {tab === 'overview' && <MemberOverview {...props} onLinks={() => setTab('links')} />}
          {tab === 'links' && <MemberLinks {...props} />}
          {tab === 'settings' &&
            settings.map((group) => (
              <SettingList key={group.group} label={`${group.group}配置`} settings={group.settings} />
            ))}
          {tab === 'settings' && settings.length === 0 && <p className="nl-muted">该成员没有可配置的项目</p>}
        </Tabs>
      </div>
    </SidePanel>
  )
}

const LINKS_SHOWN = 5 // the worst ones

function MemberOverview({ onLinks, ...props }: MemberPanelProps & { readonly onLinks: () => void }) {
  const { member, shown, isStale } = props
  const links = shown.linksByMember().get(member.router_name) ?? []
  return (
    <>
      <div className={styles.facts}>
        <Facts facts={[...stateFacts(member, isStale), ...deviceFacts(member)]} />
        {member.vpn_ip.length > 0 && (
          <>
            <h3 className={styles.heading}>VPN IP</h3>
            <VpnAddresses addresses={vpnAddresses(member, links, shown.toName)} />
          </>
        )}
      </div>
      {links.length > 0 && (
        <>
          <MemberLinks {...props} most={LINKS_SHOWN} />
          {links.length > LINKS_SHOWN && (
            <Button theme="borderless" size="small" onClick={onLinks}>
              全部 {links.length} 条
            </Button>
          )}
        </>
      )}
      <h3 className={styles.heading}>最近状态变化</h3>
      <RouterHistory routerName={member.router_name} type={member.router_type} label="最近状态变化" />
    </>
  )
}

const LINKS_AT_ONCE = 100

/** Links of the member, the worst first; with `most`, only those. */
function MemberLinks({ member, shown, isStale, onSelect, most }: MemberPanelProps & { readonly most?: number }) {
  const { affected, linksByMember, toName } = shown
  const links = linksByMember().get(member.router_name) ?? []
  const [count, setCount] = useState(LINKS_AT_ONCE)
  const listed = links.slice(0, most ?? count)
  const toOther = (link: Link) =>
    toName(link.router_name === member.router_name ? link.center_router_name : link.router_name)
  if (links.length === 0) return <p className="nl-muted">该成员没有链路</p>
  return (
    <>
      <h3 className={styles.heading}>
        链路 {memberLinksText(links)}{' '}
        {affected.singleCenter.has(member.router_name) && <SingleCenterBadge stale={isStale} />}
      </h3>
      <LinkList links={listed} isStale={isStale} toTitle={toOther} onSelect={onSelect} />
      {most === undefined && links.length > listed.length && (
        <Button theme="borderless" size="small" onClick={() => setCount(count + LINKS_AT_ONCE)}>
          再显示 {Math.min(LINKS_AT_ONCE, links.length - listed.length)} 条，共 {links.length} 条
        </Button>
      )}
    </>
  )
}

/** Known facts of the state; an unknown fact gets no row. */
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
