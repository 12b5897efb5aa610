import type { Output } from '#contract/kernel/endpoint.ts'
import { coversNetwork, isAllowed } from '#contract/kernel/permissions.ts'
import { networkApi } from '#contract/network/index.ts'
import { FORCE_OFFLINE_NAME } from '#contract/network/jobs.ts'
import { TUNNEL_LIST } from '#contract/network/limits.ts'
import { TUNNEL_KIND_NAME } from '#contract/network/tunnels.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import { lossText, rttText, trafficText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useGrants } from '#lib/session/session.ts'
import { useTrafficUnit } from '#ui/chart/traffic-unit.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { LinkCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { SearchBox } from '#ui/table/filter-bar.tsx'
import { actionColumn, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import '../routes/routes.css'

/* Table of the tunnels of a network or of one member, with the sessions of software members, which can be ended. */

export type Tunnel = Output<typeof networkApi.tunnels>[number]

interface TunnelTableProps {
  readonly networkNumber: string
  /** Member of the tunnels; rows then name their other end alone. */
  readonly routerName?: string
  /** Sessions of software members alone. */
  readonly isSoftwareOnly?: boolean
}

export function TunnelTable({ networkNumber, routerName, isSoftwareOnly = false }: TunnelTableProps) {
  const list = useLocalListState({})
  const input = {
    network_number: networkNumber,
    kind: isSoftwareOnly ? ('software' as const) : ('' as const),
    search: list.search,
    page: list.page,
    limit: list.limit,
    ...(routerName !== undefined && { router_name: routerName }),
  }
  const query = useQuery(networkApi.tunnels, input, { keepPrevious: true, pollMs: TUNNEL_LIST.pollMs })
  const actions = useSessionActions(networkNumber)
  const hasSessions = query.data?.data.some(({ kind }) => kind === 'software') ?? false
  const [label, title] = isSoftwareOnly ? ['软件会话', '暂无软件会话'] : ['隧道', '暂无隧道']
  return (
    <div className="nl-routes">
      <SearchBox label="搜索成员、备注或地址" value={list.search} onChange={list.setSearch} />
      <DataTable
        label={label}
        query={query}
        list={list}
        columns={[...columnsOf(routerName, isSoftwareOnly), ...(hasSessions && actions ? [actions] : [])]}
        rowKey={({ id }) => id}
        rowName={(tunnel) => memberLabel(otherEnd(tunnel, routerName))}
        isReadOnly
        empty={{ title: list.search === '' ? title : '没有符合的隧道' }}
      />
    </div>
  )
}

/** Column that ends sessions; null for a person who may not. */
function useSessionActions(network_number: string): Column<Tunnel> | null {
  const grants = useGrants()
  const kill = useCommand(networkApi.killUser, [networkApi.tunnels], QUIET)
  if (!isAllowed('network:edit', grants) || !coversNetwork(grants, network_number)) return null
  return actionColumn((tunnel: Tunnel) => {
    if (tunnel.kind !== 'software') return null
    const { router_name } = tunnel
    const subject = memberLabel(dialler(tunnel))
    const question = {
      title: `${FORCE_OFFLINE_NAME}“${subject}”？`,
      body: '它在该组网的会话会立即断开，之后可以再次拨入。要禁止拨入，请停用该成员或修改密码。',
      verb: FORCE_OFFLINE_NAME,
      danger: true,
      run: () => kill.trigger({ network_number, router_name, halt: 1 }),
    }
    const action = { label: FORCE_OFFLINE_NAME, danger: true, onSelect: () => void confirm(question) }
    return <RowActions actions={[action]} subject={subject} />
  })
}

const dialler = ({ router_name, router_name_note }: Tunnel) => ({ router_name, note: router_name_note })
const server = ({ peer, peer_note }: Tunnel) => ({ router_name: peer, note: peer_note })
/** End of a tunnel that is not the member; without one the end that dials. */
const otherEnd = (tunnel: Tunnel, memberName: string | undefined) =>
  tunnel.router_name === memberName ? server(tunnel) : dialler(tunnel)

const compactText = ({ state, reason, rtt_ms, loss }: Tunnel): string =>
  [state !== 'up' && reason, rtt_ms !== null && rttText(rtt_ms), loss !== null && `丢包 ${lossText(loss)}`]
    .filter(Boolean)
    .join(' · ')

function columnsOf(memberName: string | undefined, isSoftwareOnly: boolean): readonly Column<Tunnel>[] {
  const ofServer: Column<Tunnel> = {
    key: 'peer',
    title: '对端',
    from: 'md',
    cell: (tunnel) => memberLabel(server(tunnel)),
  }
  const ofLinks: readonly Column<Tunnel>[] = [
    { key: 'rtt', title: '时延', align: 'right', from: 'md', cell: ({ rtt_ms }) => rttText(rtt_ms) },
    {
      key: 'loss',
      title: '丢包',
      align: 'right',
      from: 'md',
      cell: ({ loss }) => (loss === null ? '—' : lossText(loss)),
    },
    { key: 'cipher', title: '加密算法', from: 'xl', cell: ({ cipher }) => cipher || '—' },
  ]
  return [
    {
      key: 'member',
      title: memberName === undefined ? '成员' : '对端',
      isName: true,
      cell: (tunnel) => (
        <MemberIdentity
          member={otherEnd(tunnel, memberName)}
          kind={TUNNEL_KIND_NAME[tunnel.kind]}
          compactText={compactText(tunnel)}
        />
      ),
    },
    ...(memberName === undefined ? [ofServer] : []),
    {
      key: 'state',
      title: '状态',
      phone: 'aside',
      cell: (tunnel) => <LinkCell link={tunnel} isStale={false} />,
    },
    ...(isSoftwareOnly ? [] : ofLinks),
    {
      key: 'bytes',
      title: '接收 / 发送',
      align: 'right',
      from: 'md',
      cell: (tunnel) => <TunnelBytes bytes={tunnel} />,
    },
    {
      key: 'remote',
      title: '公网地址',
      from: 'lg',
      cell: ({ remote_ip }) => <Address text={remote_ip} label="复制公网地址" />,
    },
    { key: 'ip', title: 'VPN IP', from: 'lg', cell: ({ vpn_ip }) => <Address text={vpn_ip} label="复制 VPN IP" /> },
  ]
}

const Address = ({ text, label }: { readonly text: string; readonly label: string }) =>
  text === '' ? <span className="nl-muted">—</span> : <CopyText text={text} label={label} />

/** Bytes that the end that dials has received and sent since the tunnel came up; a dash where nothing counts them. */
export function TunnelBytes({ bytes }: { readonly bytes: Pick<Tunnel, 'down' | 'upload'> | undefined }) {
  const [unit] = useTrafficUnit()
  if (bytes === undefined || bytes.down === null || bytes.upload === null) return <span className="nl-muted">—</span>
  return (
    <>
      {trafficText(bytes.down * 8, unit)} / {trafficText(bytes.upload * 8, unit)}
    </>
  )
}

/** Bytes of these links by id, as far as they are counted. */
export function useTunnelBytes(network_number: string, ids: readonly string[]): ReadonlyMap<string, Tunnel> {
  const input = { network_number, kind: 'link' as const, id: ids.join(), limit: 100 as const }
  const options = { keepPrevious: true, pollMs: TUNNEL_LIST.pollMs }
  const { data } = useQuery(networkApi.tunnels, ids.length === 0 ? null : input, options)
  return new Map(data?.data.map((tunnel) => [tunnel.id, tunnel]) ?? [])
}
