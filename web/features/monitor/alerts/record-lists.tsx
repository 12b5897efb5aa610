import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  ALERT_CHANNELS,
  ALERT_RULES,
  type AlertRule,
  type AlertStatus as Status,
  DELIVERY_STATES,
  RULE_WORD,
  SEVERITY_WORD,
  STATUS_WORD,
  alertDurationMs,
  alertStatus,
  foldedLabel,
} from '#contract/monitor/alert.ts'
import { type DeliveryRow, ALERT_FILTERS, type AlertRow } from '#contract/monitor/index.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { durationText, shortTimeText } from '#lib/format/format-time.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { PrimaryLink } from '#ui/layout/buttons/primary-button.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { useNow } from '#ui/hooks/use-now.ts'
import { type StatusStyle, StatusWord } from '#ui/state/state-icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { titleColumn } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useAcknowledge, useAlerts, useDeliveries, useMonitorConfig, useResend } from '../api.ts'
import { CHANNEL_WORD, DELIVERY_WORD, KIND_WORD } from '../monitor-text.ts'
import { useMonitorRights } from '../rights.ts'

/* Lists of alerts and of their deliveries. */

const ChildrenDialog = lazyDialog(() => import('./children-dialog.tsx').then((m) => m.ChildrenDialog))

const STATUS = ALERT_FILTERS.map((value) => ({ value, label: value === '' ? '全部' : STATUS_WORD[value] }))
const RULES = [
  { value: '', label: '全部类型' },
  ...ALERT_RULES.map((rule) => ({ value: rule, label: RULE_WORD[rule] })),
]

/** An unknown value in the address means no filter. */
const toStatus = (text: string) => STATUS.find(({ value }) => value === text)?.value ?? ''
const toRule = (text: string): AlertRule | '' => ALERT_RULES.find((rule) => rule === text) ?? ''

export function AlertList({ inTab }: { readonly inTab: (content: ReactNode) => ReactNode }) {
  const list = useListState({ status: '', rule: '' })
  const { page, limit, search, filters } = list
  const query = useAlerts({ page, limit, search, status: toStatus(filters.status), rule: toRule(filters.rule) })
  const [opened, setOpened] = useState<AlertRow | null>(null)
  const acknowledge = useAcknowledge()
  const rights = useMonitorRights()
  const navigate = useNavigate()

  const toRowActions = (row: AlertRow): readonly RowAction[] => {
    const canAcknowledge = rights.edit && row.end_time === null && row.ack_by === ''
    const object = objectPath(row)
    return [
      ...(canAcknowledge
        ? [{ label: '确认', onSelect: () => void acknowledge.trigger({ alert_id: row.alert_id }) }]
        : []),
      ...(row.folded > 0 ? [{ label: foldedLabel(row.rule), onSelect: () => setOpened(row) }] : []),
      ...(object === null
        ? []
        : [
            {
              label: '查看对象',
              onSelect: () => void navigate(object, { state: row.label ? withLinkedName(row.label) : null }),
            },
          ]),
      {
        label: '投递记录',
        onSelect: () =>
          void navigate({ search: `?${new URLSearchParams({ tab: 'deliveries', alert_id: row.alert_id })}` }),
      },
    ]
  }
  return (
    <ListPage
      title="监控告警"
      facts={query.data && `${query.data.open} 条告警未恢复，记录保留 90 天`}
      wrap={inTab}
      label="告警"
      searchLabel="搜索成员、组网或服务"
      columns={ALERT_COLUMNS}
      rowKey={(row) => row.alert_id}
      rowName={(row) => row.title}
      filters={
        <>
          <FilterSwitch list={list} name="status" label="按状态筛选" options={STATUS} />
          <FilterSwitch list={list} name="rule" label="按类型筛选" options={RULES} />
        </>
      }
      empty={{ hint: '成员离线、配置异常等告警会显示在这里。', action: <StartMonitor /> }}
      {...{ list, query, toRowActions }}
    >
      {opened !== null && <ChildrenDialog alert={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}

function objectPath({ rule, router_name, network_number, start_time: at }: AlertRow): string | null {
  if (rule === 'service_expired') return paths.services
  if (router_name !== '') return paths.router(router_name, { at })
  return network_number === '' ? null : paths.network(network_number, { at })
}

const SEVERITY_TONE = { notice: 'idle', warning: 'warn', critical: 'bad' } as const

const ALERT_COLUMNS: readonly Column<AlertRow>[] = [
  titleColumn('告警', (row) => ({
    name: row.title,
    second: <span>{row.reason || RULE_WORD[row.rule]}</span>,
    compactText: shortTimeText(row.start_time),
  })),
  {
    key: 'severity',
    title: '级别',
    cell: ({ severity }) => (
      <StatusWord
        shape={severity === 'critical' ? 'cross' : 'diamond'}
        tone={SEVERITY_TONE[severity]}
        word={SEVERITY_WORD[severity]}
      />
    ),
  },
  { key: 'status', title: '状态', phone: 'aside', cell: (row) => <AlertStatus alert={row} /> },
  { key: 'start', title: '发生时间', from: 'md', cell: (row) => <TimeText at={row.start_time} /> },
  {
    key: 'duration',
    title: '持续时间',
    from: 'lg',
    cell: (row) => {
      if (row.end_time === null) return <SinceText at={row.start_time} />
      const durationMs = alertDurationMs(toTimes(row))
      return durationMs === null ? '—' : durationText(durationMs)
    },
  },
  {
    key: 'ack',
    title: '确认人',
    from: 'lg',
    cell: ({ ack_by, ack_time }) =>
      ack_time === null ? (
        '—'
      ) : (
        <>
          {ack_by} <TimeText at={ack_time} mode="relative" />
        </>
      ),
  },
]

const toTimes = ({ start_time: startedAt, end_time: endedAt }: AlertRow) => ({ startedAt, endedAt })

const STATUS_STYLE: Readonly<Record<Status, StatusStyle>> = {
  open: { shape: 'ring', tone: 'bad' },
  acknowledged: { shape: 'half', tone: 'warn' },
  recovered: { shape: 'tick', tone: 'ok' },
  event: { shape: 'dash', tone: 'idle' },
}

function AlertStatus({ alert }: { readonly alert: AlertRow }) {
  const status = alertStatus(toTimes(alert), alert.ack_by !== '')
  return <StatusWord {...STATUS_STYLE[status]} word={STATUS_WORD[status]} />
}

const CHANNELS = [
  { value: '', label: '全部通道' },
  ...ALERT_CHANNELS.map((channel) => ({ value: channel, label: CHANNEL_WORD[channel] })),
]
const STATES = [
  { value: '', label: '全部状态' },
  ...DELIVERY_STATES.map((state) => ({ value: state, label: DELIVERY_WORD[state] })),
]

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
      columns={DELIVERY_COLUMNS}
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

const DELIVERY_STYLE: Readonly<Record<DeliveryRow['state'], StatusStyle>> = {
  pending: { shape: 'dots', tone: 'busy' },
  sent: { shape: 'tick', tone: 'ok' },
  failed: { shape: 'cross', tone: 'bad' },
  merged: { shape: 'dash', tone: 'idle' },
  skipped: { shape: 'dash', tone: 'warn' },
  unsent: { shape: 'dash', tone: 'warn' },
}

const DELIVERY_COLUMNS: readonly Column<DeliveryRow>[] = [
  titleColumn('通知', (row) => ({
    name: row.title,
    second: <span>{KIND_WORD[row.kind]}</span>,
    compactText: `${CHANNEL_WORD[row.channel]} ${shortTimeText(row.create_time)}`,
  })),
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
    cell: ({ state }) => <StatusWord {...DELIVERY_STYLE[state]} word={DELIVERY_WORD[state]} />,
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
    cell: (row) => <NextTry {...row} />,
  },
]

/** Time of the next try. A notice of an alert is sent after the earlier ones of it, so that it has no time before. */
function NextTry({ next_time: at, waits }: Pick<DeliveryRow, 'next_time' | 'waits'>) {
  const now = useNow()
  if (waits === 1) return '等待该告警的前一条通知'
  if (at === null) return '—'
  return at - now < MINUTE_MS ? '即将投递' : <TimeText at={at} mode="relative" />
}

function StartMonitor() {
  const { start } = useMonitorRights()
  const config = useMonitorConfig().data?.data
  return start && config?.enable === 0 && <PrimaryLink to={paths.monitor}>启动监控</PrimaryLink>
}
