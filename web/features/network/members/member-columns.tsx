import { SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countLinks, countOpened } from '#domain/health/link.ts'
import { isPresent } from '#domain/health/member.ts'
import { linksText } from '#lib/format/links-text.ts'
import { paths } from '#lib/paths.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { FirstOf, firstOfText, LinkRatio } from '#ui/table/count-cells.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { ConfigBadge, PresenceCell } from '#ui/member/member-badges.tsx'
import { SingleCenterBadge } from '#ui/state/status-badge.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { type VpnAddress, vpnAddresses } from '../network-order.ts'
import { MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { routerTypeName } from '../network-text.ts'
import type { Link, Member } from '../live-network.ts'
import styles from './member-columns.module.css'

/* Columns of the table of members of a network, and texts of their links and VPN addresses. */

interface MemberCells {
  readonly isStale: boolean
  readonly linksByMember: () => ReadonlyMap<string, readonly Link[]>
  readonly singleCenter: ReadonlySet<string>
  readonly toName: (routerName: string) => string
  readonly onOpen: (member: Member) => void
}

const NO_LINKS: readonly Link[] = []

export function memberColumns({ isStale, linksByMember, singleCenter, toName, onOpen }: MemberCells): Column<Member>[] {
  const linksOf = ({ router_name }: Member) => linksByMember().get(router_name) ?? NO_LINKS
  return [
    {
      key: 'name',
      title: '成员',
      isName: true,
      sort: { by: 'name', first: 'asc' },
      cell: (member) => (
        <MemberIdentity
          member={member}
          {...(member.router_type === ROUTER_TYPE.hardware
            ? { to: paths.router(member.router_name), isNewTab: true }
            : { kind: routerTypeName(member.router_type), onOpen: () => onOpen(member) })}
          compactText={compactText(member, linksOf(member), singleCenter.has(member.router_name))}
        />
      ),
    },
    {
      key: 'state',
      title: '状态',
      phone: 'aside',
      sort: { by: 'worst', first: 'desc' },
      cell: (member) => <PresenceCell presence={member.presence} type={member.router_type} isStale={isStale} />,
    },
    { key: 'role', title: '角色', from: 'md', cell: (member) => MEMBER_ROLE_NAME[member.member_type] },
    {
      key: 'lan',
      title: 'LAN 网段',
      from: 'xl',
      cell: (member) => <FirstOf label="网段" isMono items={member.lan.map((text) => ({ text }))} />,
    },
    {
      key: 'links',
      title: '链路',
      cell: (member) => (
        <span className={styles.links}>
          <MemberLinks links={linksOf(member)} />
          {singleCenter.has(member.router_name) && <SingleCenterBadge stale={isStale} />}
        </span>
      ),
    },
    { key: 'remote', title: '公网 IP', from: 'xl', cell: (member) => <RemoteAddress member={member} /> },
    {
      key: 'vpn',
      title: 'VPN IP',
      from: 'lg',
      cell: (member) => <VpnAddresses addresses={vpnAddresses(member, linksOf(member), toName)} />,
    },
    {
      key: 'config',
      title: '配置',
      from: 'md',
      cell: (member) => <ConfigBadge config={member.config} isStale={isStale} />,
    },
    {
      key: 'seen',
      title: '最近在线',
      from: 'xl',
      sort: { by: 'seen', first: 'asc' },
      cell: (member) => <LastSeen member={member} />,
    },
    {
      key: 'version',
      title: '版本',
      isOptional: true,
      cell: ({ version }) => version || <span className="nl-muted">—</span>,
    },
  ]
}

/** One line of text for phones, in place of the columns that they leave out. */
function compactText({ member_type, lan }: Member, links: readonly Link[], isSingleCenter: boolean): string {
  const paths = links.length > 0 && `链路 ${memberLinksText(links)}`
  return [isSingleCenter && SINGLE_CENTER_WORD, paths, MEMBER_ROLE_NAME[member_type], firstOfText(lan)]
    .filter(Boolean)
    .join(' · ')
}

/** Links of a member in a table, with the unknown ones in grey. */
const MemberLinks = ({ links }: { readonly links: readonly Link[] }) =>
  links.length === 0 ? <span className="nl-muted">—</span> : <LinkRatio of={countOpened(countLinks(links))} />

/** Numbers of a member's links; a dash without any. */
export const memberLinksText = (links: readonly Link[]): string =>
  links.length === 0 ? '—' : linksText(countOpened(countLinks(links)))

function RemoteAddress({ member: { remote_ip } }: { readonly member: Member }) {
  return remote_ip === '' ? <span className="nl-muted">—</span> : <CopyText text={remote_ip} label="复制公网 IP" />
}

function LastSeen({ member: { presence } }: { readonly member: Member }) {
  if (isPresent(presence.state)) return <span className="nl-muted">现在</span>
  return <TimeText at={presence.last_seen} mode="relative" never="从未" />
}

export function VpnAddresses({ addresses }: { readonly addresses: readonly VpnAddress[] }) {
  if (addresses.length === 0) return <span className="nl-muted">—</span>
  return (
    <ul className={styles.addresses}>
      {addresses.map(({ ip, center }) => (
        <li key={ip}>
          <CopyText text={ip} label="复制 VPN IP" />
          {center !== '' && (
            <span className={styles.center} title={`经 ${center}`}>
              经 {center}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
