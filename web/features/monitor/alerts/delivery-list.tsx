import type { ReactNode } from 'react'
import { ALERT_CHANNELS, DELIVERY_STATES } from '#contract/monitor/alert.ts'
import type { DeliveryRow } from '#contract/monitor/deliveries.ts'
import { shortTimeText } from '#lib/format/format-time.ts'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { Icon, type Shape, type Tone } from '#ui/state/icon.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import { Notice } from '#ui/state/notice.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useDeliveries, useResend } from '../api.ts'
import { CHANNEL_WORD, DELIVERY_WORD, KIND_WORD } from '../monitor-text.ts'
import { useMonitorRights } from '../rights.ts'
import { StartMonitor } from '../start-monitor.tsx'

const CHANNELS = [
  { value: '', label: '全部通道' },
  ...ALERT_CHANNELS.map((channel) => ({ value: channel, label: CHANNEL_WORD[channel] })),
]
const STATES = [
  { value: '', label: '全部状态' },
  ...DELIVERY_STATES.map((state) => ({ value: state, label: DELIVERY_WORD[state] })),
]

/** List of alert deliveries, with what the other side answered. */
export function DeliveryList({ inTab }: { readonly inTab: (content: ReactNode) => ReactNode }) {
  const list = useListState({ channel: '', state: '', alert_id: '' })
  const { page, limit, filters } = list
  const query = useDeliveries({
    page,
    limit,
    channel: ALERT_CHANNELS.find((channel) => channel === filters.channel) ?? '',
    state: DELIVERY_STATES.find((state) => state === filters.state) ?? '',
    alert_id: filters.alert_id,
  })
  const resend = useResend()
  const rights = useMonitorRights()
  const paused = query.data?.paused ?? 0

  const toRowActions = (row: DeliveryRow): readonly RowAction[] =>
    rights.edit && (row.state === 'failed' || row.state === 'skipped')
      ? [{ label: '重发', onSelect: () => void resend.trigger({ delivery_id: row.delivery_id }) }]
      : []
  return (
    <ListPage
      title="监控告警"
      facts="站内消息、邮件和Webhook的投递结果，保留 90 天"
      above={
        paused > 0 && (
          <Notice tone="bad" role="alert">
            {paused} 个通道连续投递失败，已暂停。请检查配置后重发失败的通知。
          </Notice>
        )
      }
      wrap={inTab}
      label="投递记录"
      columns={COLUMNS}
      rowKey={(row) => row.delivery_id}
      rowName={(row) => row.title}
      filters={
        <>
          <FilterSwitch list={list} name="channel" label="按通道筛选" options={CHANNELS} />
          <FilterSwitch list={list} name="state" label="按状态筛选" options={STATES} />
        </>
      }
      empty={{ hint: '告警发出的通知会显示在这里。', action: <StartMonitor /> }}
      {...{ list, query, toRowActions }}
    />
  )
}

const STATE_STYLE: Readonly<Record<DeliveryRow['state'], readonly [Shape, Tone]>> = {
  pending: ['dots', 'busy'],
  sent: ['tick', 'ok'],
  failed: ['cross', 'bad'],
  merged: ['dash', 'idle'],
  skipped: ['dash', 'warn'],
  unsent: ['dash', 'warn'],
}

const COLUMNS: readonly Column<DeliveryRow>[] = [
  {
    key: 'title',
    title: '通知',
    isName: true,
    wrap: true,
    cell: (row) => (
      <IdentityCell
        name={row.title}
        wraps
        second={<span>{KIND_WORD[row.kind]}</span>}
        compactText={`${CHANNEL_WORD[row.channel]} ${shortTimeText(row.create_time)}`}
      />
    ),
  },
  {
    key: 'channel',
    title: '通道',
    wrap: true,
    cell: ({ channel, target }) => (target === '' ? CHANNEL_WORD[channel] : `${CHANNEL_WORD[channel]} ${target}`),
  },
  {
    key: 'state',
    title: '状态',
    phone: 'aside',
    cell: ({ state }) => {
      const [shape, tone] = STATE_STYLE[state]
      return (
        <span className={`nl-status nl-tone-${tone}`}>
          <Icon shape={shape} tone={tone} />
          <span className="nl-status-word">{DELIVERY_WORD[state]}</span>
        </span>
      )
    },
  },
  {
    key: 'words',
    title: '对方返回',
    from: 'md',
    wrap: true,
    cell: ({ code, words }) => [code, words].filter(Boolean).join('：') || '—',
  },
  { key: 'tries', title: '次数', from: 'lg', align: 'right', cell: (row) => row.tries },
  { key: 'created', title: '创建时间', from: 'md', cell: (row) => <TimeText at={row.create_time} /> },
  {
    key: 'next',
    title: '下次投递',
    from: 'xl',
    cell: ({ next_time }) => (next_time === null ? '—' : <TimeText at={next_time} mode="relative" />),
  },
]
