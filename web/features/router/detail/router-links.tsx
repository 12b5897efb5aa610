import Button from '@douyinfe/semi-ui/lib/es/button'
import { LINK_WORD } from '#contract/kernel/states.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { countOpened } from '#domain/health/link.ts'
import { isPresent } from '#domain/health/member.ts'
import { countText, rttText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { SinceText } from '#ui/layout/text/time-text.tsx'
import { PathsBadge } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import type { MemberStates } from '../member-states.ts'
import { PEER_TYPE_NAME, type RouterInfo } from '../router-text.ts'
import styles from './router-detail-page.module.css'

/* Table of the links of a router over all its networks, the worst first; paged on the client. */

type Link = RouterInfo['link'][number]

interface RouterLinksProps {
  readonly info: RouterInfo
  readonly states: MemberStates
  readonly isStale: boolean
  readonly onRetry: () => void
}

export function RouterLinks({ info, states, isStale, onRetry }: RouterLinksProps) {
  const { link: links, link_count, link_missing, network } = info
  const paged = useClientPage(links, useLocalListState({}))
  const all = Object.values(link_count).reduce((sum, count) => sum + count, 0)
  const missing = network.filter(({ network_number }) => link_missing.includes(network_number))
  return (
    <Panel
      title="链路"
      actions={
        <span className={styles.counts}>
          <PathsBadge
            paths={{ ...countOpened(link_count), single_center: info.paths.single_center }}
            isAbsent={!isPresent(states.presence.state)}
            isStale={isStale}
          />
          {link_count.never > 0 && (
            <span className="nl-muted">
              {LINK_WORD.never} {countText(link_count.never)}
            </span>
          )}
        </span>
      }
    >
      {missing.length > 0 && (
        <Notice
          tone="warn"
          role="status"
          actions={
            <Button size="small" onClick={onRetry}>
              重试
            </Button>
          }
        >
          组网{missing.map(({ network_name }) => `“${network_name}”`).join('、')}的链路状态暂不可用，未列出。
        </Notice>
      )}
      {(links.length > 0 || missing.length === 0) && (
        <DataTable
          label="链路"
          {...paged}
          columns={columns(network.length > 1, isStale)}
          rowKey={({ id }) => id}
          rowName={({ peer }) => memberLabel(peer)}
          empty={{ title: '暂无链路', hint: emptyHint(info) }}
        />
      )}
      {all > links.length && (
        <p className={styles.more}>
          共 {countText(all)} 条，仅列出最需要关注的 {countText(NETWORK.linksShown)} 条
        </p>
      )}
    </Panel>
  )
}

const emptyHint = ({ network }: RouterInfo): string =>
  network.length === 0 ? '尚未加入任何组网，加入后与中心点建立链路。' : '所在组网中没有可与它建立链路的成员。'

function columns(hasNetworks: boolean, isStale: boolean): readonly Column<Link>[] {
  const network: Column<Link> = {
    key: 'network',
    title: '组网',
    from: 'md',
    cell: ({ network_number, network_name }) => (
      <IdentityCell name={network_name} to={paths.network(network_number)} second={network_number} />
    ),
  }
  return [
    {
      key: 'peer',
      title: '对端',
      isName: true,
      cell: ({ peer, rtt_ms }) => (
        <MemberIdentity
          member={peer}
          {...(peer.member_type !== 'pop' && { to: paths.router(peer.router_name) })}
          kind={PEER_TYPE_NAME[peer.member_type]}
          compactText={rtt_ms === null ? '' : rttText(rtt_ms)}
        />
      ),
    },
    ...(hasNetworks ? [network] : []),
    {
      key: 'state',
      title: '状态',
      phone: 'aside',
      cell: ({ state, since, reason }) => (
        <span className={styles.state}>
          <LinkBadge state={state} reason={reason} since={since} stale={isStale} />
          {reason !== '' && <span className={styles.reason}>{reason}</span>}
        </span>
      ),
    },
    {
      key: 'since',
      title: '已持续',
      cell: ({ state, since }) => (since === null || state === 'never' ? '—' : <SinceText at={since} />),
    },
    { key: 'rtt', title: '时延', align: 'right', cell: ({ rtt_ms }) => rttText(rtt_ms) },
    {
      key: 'ip',
      title: 'VPN IP',
      from: 'md',
      cell: ({ vpn_ip, peer_vpn_ip }) => (
        <span className={styles.addresses}>
          <Address label="本端" ip={vpn_ip} />
          <Address label="对端" ip={peer_vpn_ip} />
        </span>
      ),
    },
  ]
}

function Address({ label, ip }: { readonly label: string; readonly ip: string }) {
  if (ip === '') return null
  return (
    <span>
      <span className="nl-muted">{label} </span>
      <CopyText text={ip} label={`复制${label} VPN IP`} />
    </span>
  )
}
