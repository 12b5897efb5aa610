import { PROBE_WORD } from '#contract/kernel/states.ts'
import { rttText } from '#lib/format/format-unit.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import { PresenceBadge } from '#ui/member/member-badges.tsx'
import { SidePanel } from '#ui/dialog/side-panel.tsx'
import { SinceText } from '#ui/layout/text/time-text.tsx'
import { MEMBER_ROLE_NAME } from '../network-text.ts'
import type { Link, Member } from '../projection.ts'
import { LinkList } from './link-list.tsx'
import { PanelList, PanelRow } from '../members/panel-list.tsx'
import styles from '../members/panel-list.module.css'

interface LinkPanelProps {
  /** One link, or those between a group and a centre. */
  readonly links: readonly Link[]
  readonly toMember: (routerName: string) => Member | undefined
  readonly toName: (routerName: string) => string
  readonly isStale: boolean
  readonly onLink: (link: Link) => void
  readonly onMember: (routerName: string) => void
  readonly onClose: () => void
}

export function LinkPanel({ links, toName, isStale, onLink, onClose, ...rest }: LinkPanelProps) {
  const toTitle = (link: Link) => `${toName(link.router_name)} ↔ ${toName(link.center_router_name)}`
  const [link] = links
  if (link === undefined) return null
  const isOne = links.length === 1
  return (
    <SidePanel title={isOne ? toTitle(link) : `链路（${links.length}）`} onClose={onClose}>
      {isOne ? (
        <OneLink {...{ link, toName, isStale }} {...rest} />
      ) : (
        <LinkList label="链路" onOpen={onLink} {...{ links, isStale, toTitle }} />
      )}
    </SidePanel>
  )
}

type OneLinkProps = Pick<LinkPanelProps, 'toMember' | 'toName' | 'isStale' | 'onMember'> & { readonly link: Link }

function OneLink({ link, ...rest }: OneLinkProps) {
  const { state, since, reason, rtt_ms, router_name, center_router_name, client_up, server_up } = link
  const { isStale } = rest
  return (
    <>
      <div className={styles.facts}>
        <Facts
          facts={[
            { label: '状态', value: <LinkBadge state={state} since={since} stale={isStale} /> },
            ...(since === null ? [] : [{ label: '已持续', value: <SinceText at={since} /> }]),
            ...(reason === '' ? [] : [{ label: '原因', value: reason }]),
            ...(rtt_ms === null ? [] : [{ label: '时延', value: rttText(rtt_ms) }]),
          ]}
        />
      </div>
      <h3 className={styles.heading}>两端</h3>
      <PanelList label="两端">
        <End name={router_name} address={link.vpn_ip} up={client_up} {...rest} />
        <End name={center_router_name} address={link.center_vpn_ip} up={server_up} {...rest} />
      </PanelList>
    </>
  )
}

interface EndProps extends Omit<OneLinkProps, 'link'> {
  readonly name: string
  readonly address: string
  /** This end receives the other's probes; null if unknown. */
  readonly up: boolean | null
}

function End({ name, address, up, toMember, toName, isStale, onMember }: EndProps) {
  const member = toMember(name)
  const facts = [
    member !== undefined && MEMBER_ROLE_NAME[member.member_type],
    address,
    up !== null && PROBE_WORD[up ? 'received' : 'lost'],
  ]
  return (
    <PanelRow title={toName(name)} facts={facts} onOpen={member === undefined ? null : () => onMember(name)}>
      {member !== undefined && <PresenceBadge presence={member.presence} type={member.router_type} isStale={isStale} />}
    </PanelRow>
  )
}
