import { type ReactNode, useState } from 'react'
import type { LinkRange } from '#contract/kernel/hub-limits.ts'
import { PROBE_WORD } from '#contract/kernel/states.ts'
import { MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { createChunk } from '#lib/bundle/chunk.ts'
import { lossText, rttText } from '#lib/format/format-unit.ts'
import { useGrants } from '#lib/session/session.ts'
import { SidePanel } from '#ui/dialog/side-panel.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { SinceText } from '#ui/layout/text/time-text.tsx'
import { LinkCell, PresenceBadge } from '#ui/member/member-badges.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import { type LinkRates, useThroughput } from '../link-rates.ts'
import { ActionRow, type RowAction } from '#ui/table/row-actions.tsx'
import type { Link, NetworkInfo } from '../live-network.ts'
import { networkRights, toActions } from '../rights.ts'
import { useOpenDialog } from '../settings/dialog-context.ts'
import type { TopologySelection } from '../topology/topology.tsx'
import styles from './network-detail.module.css'
import type { useFilteredMembers } from './use-filtered-members.ts'

/* Panel of one link with its history, or of the links between a group and a centre. */

interface LinkPanelProps {
  readonly info: NetworkInfo
  readonly rates: LinkRates
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly isStale: boolean
  readonly onSelect: (picked: TopologySelection | null) => void
  /** One link, or those between a group and a centre. */
  readonly links: readonly Link[]
}

export function LinkPanel({ info, rates, links, shown, isStale, onSelect }: LinkPanelProps) {
  const { toName } = shown
  const toActionsOf = useLinkActions(info)
  // Kept here, because the panel opens anew where another width makes it a dialog.
  const [tab, onTab] = useState<LinkTab>('overview')
  const [range, onRange] = useState<LinkRange>('hour')
  const toTitle = (link: Link) => `${toName(link.router_name)} ↔ ${toName(link.center_router_name)}`
  const [link] = links
  if (link === undefined) return null
  const isOne = links.length === 1
  return (
    <SidePanel
      title={isOne ? toTitle(link) : `链路（${links.length}）`}
      onClose={() => onSelect(null)}
      {...(isOne && { footer: <ActionRow actions={toActionsOf(link)} subject={toTitle(link)} /> })}
    >
      {isOne ? (
        <LinkTabs
          networkNumber={info.network_number}
          {...{ tab, onTab, range, onRange, rates, link, shown, isStale, onSelect }}
        />
      ) : (
        <LinkList {...{ links, isStale, toTitle, onSelect }} />
      )}
    </SidePanel>
  )
}

function useLinkActions(info: NetworkInfo) {
  const open = useOpenDialog()
  const rights = networkRights(useGrants(), info)
  return ({ router_name, center_router_name }: Link): readonly RowAction[] =>
    toActions(rights.set, { label: '诊断', onSelect: () => open('diagnose', `${router_name}>${center_router_name}`) })
}

type OneLinkProps = Omit<LinkPanelProps, 'info' | 'links'> & { readonly link: Link }

const LINK_TABS = [
  { value: 'overview', label: '概览' },
  { value: 'history', label: '历史' },
] as const
type LinkTab = (typeof LINK_TABS)[number]['value']

/** Charts of a link's history are loaded with their tab. */
const historyChunk = createChunk(() => import('#ui/member/history/link-history.tsx'))

interface LinkTabsProps extends OneLinkProps {
  readonly networkNumber: string
  readonly tab: LinkTab
  readonly onTab: (tab: LinkTab) => void
  readonly range: LinkRange
  readonly onRange: (range: LinkRange) => void
}

function LinkTabs({ networkNumber, tab, onTab, range, onRange, ...props }: LinkTabsProps) {
  return (
    <div className={styles.tabs}>
      <Tabs label="链路的内容" value={tab} options={LINK_TABS} onChange={onTab}>
        {tab === 'overview' ? (
          <OneLink {...props} />
        ) : (
          <HistoryTab id={props.link.id} {...{ networkNumber, range, onRange }} />
        )}
      </Tabs>
    </div>
  )
}

function HistoryTab(props: Pick<LinkTabsProps, 'networkNumber' | 'range' | 'onRange'> & { readonly id: string }) {
  const chunk = historyChunk.useModule()
  return chunk === null ? <Skeleton lines={8} /> : <chunk.LinkHistory {...props} />
}

function OneLink({ link, rates, ...rest }: OneLinkProps) {
  const { state, since, reason, rtt_ms, tunnel, router_name, center_router_name, client_up, server_up } = link
  const { isStale } = rest
  const throughput = useThroughput(rates)(link.id)
  return (
    <>
      <div className={styles.facts}>
        <Facts
          facts={[
            { label: '状态', value: <LinkBadge state={state} since={since} stale={isStale} /> },
            ...(since === null ? [] : [{ label: '已持续', value: <SinceText at={since} /> }]),
            ...(reason === '' ? [] : [{ label: state === 'up' ? '说明' : '原因', value: reason }]),
            ...(rtt_ms === null ? [] : [{ label: '时延', value: rttText(rtt_ms) }]),
            ...tunnelFacts(tunnel),
            ...throughputFacts(throughput, tunnel),
          ]}
        />
      </div>
      <h3 className={styles.heading}>两端</h3>
      <PanelList label="两端">
        <End name={router_name} address={link.vpn_ip} remote={tunnel?.client_remote} up={client_up} {...rest} />
        <End
          name={center_router_name}
          address={link.center_vpn_ip}
          remote={tunnel?.server_remote}
          up={server_up}
          {...rest}
        />
      </PanelList>
    </>
  )
}

/** Both directions as the end that dials sees them. A device counts 16 of its links, and older ones none. */
function throughputFacts(throughput: readonly string[], tunnel: Link['tunnel']): readonly Fact[] {
  const lines = throughput.map((text) => <div key={text}>{text}</div>)
  if (lines.length > 0) return [{ label: '吞吐', value: lines }]
  return tunnel === undefined ? [] : [{ label: '吞吐', value: <span className="nl-muted">未统计</span> }]
}

function tunnelFacts(tunnel: Link['tunnel']): readonly { readonly label: string; readonly value: string }[] {
  if (tunnel === undefined) return []
  const { cipher, loss } = tunnel
  return [
    ...(loss === null ? [] : [{ label: '丢包', value: lossText(loss) }]),
    ...(cipher === '' ? [] : [{ label: '加密算法', value: cipher }]),
  ]
}

interface EndProps extends Omit<OneLinkProps, 'link' | 'rates'> {
  readonly name: string
  readonly address: string
  /** Public address and port of this end, as the other one sees them; empty or undefined if unknown. */
  readonly remote: string | undefined
  /** This end receives the other's probes; null if unknown. */
  readonly up: boolean | null
}

function End({ name, address, remote = '', up, shown, isStale, onSelect }: EndProps) {
  const member = shown.toMember(name)
  const onOpen = member === undefined ? null : () => onSelect({ kind: 'member', name })
  const facts = [
    member !== undefined && MEMBER_ROLE_NAME[member.member_type],
    address,
    remote !== '' && `公网 ${remote}`,
    up !== null && PROBE_WORD[up ? 'received' : 'lost'],
  ]
  return (
    <PanelRow title={shown.toName(name)} facts={facts} onOpen={onOpen}>
      {member !== undefined && <PresenceBadge presence={member.presence} type={member.router_type} isStale={isStale} />}
    </PanelRow>
  )
}

interface LinkListProps extends Omit<LinkPanelProps, 'info' | 'rates' | 'shown'> {
  readonly toTitle: (link: Link) => string
}

/** Links with their states, each of which opens its panel. */
export function LinkList({ links, isStale, toTitle, onSelect }: LinkListProps) {
  return (
    <PanelList label="链路">
      {links.map((link) => (
        <PanelRow
          key={link.id}
          title={toTitle(link)}
          facts={linkFacts(link)}
          onOpen={() => onSelect({ kind: 'links', ids: [link.id] })}
        >
          <LinkCell link={link} isStale={isStale} />
        </PanelRow>
      ))}
    </PanelList>
  )
}

const linkFacts = ({ reason, rtt_ms }: Link) => [reason, rtt_ms !== null && rttText(rtt_ms)]

function PanelList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={`nl-lined ${styles.list}`} aria-label={label}>
      {children}
    </ul>
  )
}

interface PanelRowProps {
  readonly title: string
  /** Facts of the row; false and undefined are left out. */
  readonly facts: readonly (string | false | undefined)[]
  /** Called on a click; null if the row has no page or panel of its own. */
  readonly onOpen: (() => void) | null
  readonly children: ReactNode
}

function PanelRow({ title, facts, onOpen, children }: PanelRowProps) {
  return (
    <li>
      {onOpen === null ? (
        <span>{title}</span>
      ) : (
        <button type="button" className="nl-link" onClick={onOpen}>
          {title}
        </button>
      )}
      {children}
      <small>{facts.filter(Boolean).join(' · ')}</small>
    </li>
  )
}
