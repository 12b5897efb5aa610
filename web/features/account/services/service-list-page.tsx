import type { ServiceKind, ServiceState } from '#contract/account/services.ts'
import { SERVICE_WORD } from '#contract/kernel/states.ts'
import { POP } from '#contract/network/limits.ts'
import { dateText, timeText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { PrimaryLink } from '#ui/layout/buttons/primary-button.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import { type StatusStyle, StatusWord } from '#ui/state/state-icon.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { type ServiceRow, useServices } from '../api.ts'

/** Page of the services that the account has bought (account 2); a ticket renews them. */
export function ServiceListPage() {
  const list = useListState({})
  const query = useServices(list)
  return (
    <ListPage
      title="我的服务"
      label="服务"
      columns={SERVICE_COLUMNS}
      rowKey={(row) => `${row.kind} ${row.service_name}`}
      rowName={(row) => row.service_name}
      toRowActions={(row) => [{ label: '续费', to: paths.ticketAbout({ service_name: row.service_name }) }]}
      empty={{
        hint: '开通服务后，服务的数量和有效期会显示在这里。',
        action: <PrimaryLink to={paths.requestService('service')}>联系服务商</PrimaryLink>,
      }}
      {...{ list, query }}
    />
  )
}

const KIND: Readonly<Record<ServiceKind, { readonly word: string; readonly unit: string }>> = {
  network_member: { word: '组网席位', unit: ' 个' },
  center: { word: '中心点', unit: ' 个' },
  software_member: { word: '软件成员', unit: ' 个' },
  sub_account: { word: '子账号', unit: ' 个' },
  bandwidth: { word: '带宽', unit: ' Mbps' },
}

const STYLE: Readonly<Record<ServiceState, StatusStyle>> = {
  pending: { shape: 'dots', tone: 'idle' },
  active: { shape: 'disc', tone: 'ok' },
  ending: { shape: 'half', tone: 'warn' },
  expired: { shape: 'ring', tone: 'bad' },
}

const SERVICE_COLUMNS: readonly Column<ServiceRow>[] = [
  {
    key: 'name',
    title: '服务名称',
    isName: true,
    wrap: true,
    cell: (row) => <IdentityCell name={row.service_name} wraps second={KIND[row.kind].word} />,
  },
  { key: 'state', title: '状态', cell: ({ state }) => <StatusWord {...STYLE[state]} word={SERVICE_WORD[state]} /> },
  {
    key: 'quantity',
    title: '数量',
    align: 'right',
    cell: (row) => `${countText(row.quantity)}${KIND[row.kind].unit}`,
  },
  { key: 'quota', title: '同类已用', align: 'right', cell: (row) => <Usage {...row} /> },
  { key: 'start', title: '开始时间', from: 'lg', cell: (row) => <TimeText at={row.start_time} /> },
  { key: 'end', title: '到期时间', cell: (row) => <Expiry {...row} /> },
  { key: 'stops', title: '到期后', from: 'md', wrap: true, width: '32%', cell: (row) => row.stops },
]

function Usage({ quota, state }: Pick<ServiceRow, 'quota' | 'state'>) {
  if (quota === null || state === 'pending' || state === 'expired') return <span className="nl-muted">—</span>
  const text = `${countText(quota.used)} / ${countText(quota.total)}`
  return quota.used > quota.total ? <span className="nl-expiry-urgent">{text}</span> : text
}

function Expiry({ expired_time, days_left, state }: Pick<ServiceRow, 'expired_time' | 'days_left' | 'state'>) {
  const tone =
    state === 'expired' ? 'past' : days_left <= POP.urgentDays ? 'urgent' : state === 'ending' ? 'soon' : 'normal'
  return (
    <span>
      <Tooltip content={timeText(expired_time)} focusable>
        {dateText(expired_time)}
      </Tooltip>{' '}
      <br />
      <span className={`nl-expiry nl-expiry-${tone}`}>{state === 'expired' ? '已到期' : `还有 ${days_left} 天`}</span>
    </span>
  )
}
