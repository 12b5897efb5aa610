import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { ALERT_RULES, type AlertRule } from '#contract/monitor/alert.ts'
import type { ALERT_FILTERS, AlertRow } from '#contract/monitor/monitor.ts'
import { durationText, shortTimeText } from '#lib/format/format-time.ts'
import { paths } from '#lib/paths.ts'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { Icon } from '#ui/state/icon.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useAcknowledge, useAlerts } from '../api.ts'
import { RULE_WORD, SEVERITY_WORD } from '../monitor-text.ts'
import { useMonitorRights } from '../rights.ts'
import { StartMonitor } from '../start-monitor.tsx'

const ChildrenDialog = lazyDialog(() => import('./children-dialog.tsx').then((m) => ({ default: m.ChildrenDialog })))

const STATUS = [
  { value: '', label: '全部' },
  { value: 'open', label: '未恢复' },
  { value: 'acknowledged', label: '已确认' },
  { value: 'recovered', label: '已恢复' },
] as const satisfies readonly { readonly value: (typeof ALERT_FILTERS)[number]; readonly label: string }[]
const RULES = [
  { value: '', label: '全部事件' },
  ...ALERT_RULES.map((rule) => ({ value: rule, label: RULE_WORD[rule] })),
]

/** An unknown filter in the address is none. */
const toStatus = (text: string) => STATUS.find(({ value }) => value === text)?.value ?? ''
const toRule = (text: string): AlertRule | '' => ALERT_RULES.find((rule) => rule === text) ?? ''

/** Alerts of the last 90 days. */
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
      ...(row.folded > 0 ? [{ label: '涉及成员', onSelect: () => setOpened(row) }] : []),
      ...(object === null ? [] : [{ label: '查看对象', onSelect: () => void navigate(object) }]),
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
      columns={COLUMNS}
      rowKey={(row) => row.alert_id}
      rowName={(row) => row.title}
      filters={
        <>
          <FilterSwitch list={list} name="status" label="按状态筛选" options={STATUS} />
          <FilterSwitch list={list} name="rule" label="按事件筛选" options={RULES} />
        </>
      }
      empty={{ hint: '成员离线、配置异常等告警会显示在这里。', action: <StartMonitor /> }}
      {...{ list, query, toRowActions }}
    >
      {opened !== null && <ChildrenDialog alert={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}

/** Page of an alert's object, as it was then: the member, or the network. */
function objectPath({ router_name, network_number, start_time: at }: AlertRow): string | null {
  if (router_name !== '') return paths.router(router_name, { at })
  return network_number === '' ? null : paths.network(network_number, { at })
}

const SEVERITY_TONE = { notice: 'idle', warning: 'warn', critical: 'bad' } as const

const COLUMNS: readonly Column<AlertRow>[] = [
  {
    key: 'title',
    title: '告警',
    isName: true,
    wrap: true,
    cell: (row) => (
      <IdentityCell
        name={row.title}
        wraps
        second={<span>{row.reason || RULE_WORD[row.rule]}</span>}
        compactText={shortTimeText(row.start_time)}
      />
    ),
  },
  {
    key: 'severity',
    title: '级别',
    cell: ({ severity }) => (
      <span className={`nl-status nl-tone-${SEVERITY_TONE[severity]}`}>
        <Icon shape={severity === 'critical' ? 'cross' : 'diamond'} tone={SEVERITY_TONE[severity]} />
        <span className="nl-status-word">{SEVERITY_WORD[severity]}</span>
      </span>
    ),
  },
  { key: 'status', title: '状态', phone: 'aside', cell: (row) => <AlertStatus alert={row} /> },
  { key: 'start', title: '发生时间', from: 'md', cell: (row) => <TimeText at={row.start_time} /> },
  {
    key: 'duration',
    title: '持续时间',
    from: 'lg',
    cell: ({ start_time, end_time }) => (end_time === null ? '—' : durationText(end_time - start_time)),
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

function AlertStatus({ alert: { end_time, ack_by } }: { readonly alert: AlertRow }) {
  const [word, shape, tone] =
    end_time !== null
      ? (['已恢复', 'tick', 'ok'] as const)
      : ack_by === ''
        ? (['未恢复', 'ring', 'bad'] as const)
        : (['已确认', 'half', 'warn'] as const)
  return (
    <span className={`nl-status nl-tone-${tone}`}>
      <Icon shape={shape} tone={tone} />
      <span className="nl-status-word">{word}</span>
    </span>
  )
}
