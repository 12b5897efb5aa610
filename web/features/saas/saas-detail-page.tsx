import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { Output } from '#contract/kernel/endpoint.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { saasApi } from '#contract/saas/index.ts'
import { durationText, timeText } from '#lib/format/format-time.ts'
import { mbsText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { FirstOf } from '#ui/table/count-cells.tsx'
import { PresenceBadge } from '#ui/member/member-badges.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { NothingYet, Gone } from '#ui/state/page-states.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { ExpiryDate, TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { FilterBar } from '#ui/table/filter-bar.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { SAAS_LIST, usePresences, useSaasInfo } from './api.ts'
import { FlowChart, FlowTop, TrafficView } from './traffic-tabs.tsx'
import { bothText, editionText, type SaasInfo, temporaryText, volumeText } from './saas-text.ts'
import { useDeviceDialogs } from './use-device-dialogs.tsx'

/** Page of one SaaS device: facts, traffic and dial records (directory 2). */
export function SaasDetailPage() {
  const routerName = useSearchParams()[0].get('router_name') ?? ''
  if (routerName === '') return <Navigate to={SAAS_LIST} replace />
  return <SaasDetail key={routerName} routerName={routerName} />
}

const TRAIL = [{ label: 'SaaS设备', to: SAAS_LIST }]

function SaasDetail({ routerName }: { readonly routerName: string }) {
  const { data, error, mutate } = useSaasInfo(routerName)
  const linkedName = useLinkedName() ?? routerName
  useObjectTitle(data === undefined ? linkedName : memberLabel(data.data))
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={SAAS_LIST} />
  if (data === undefined) {
    return (
      <>
        <PageHeader title={linkedName} trail={TRAIL} />
        <Panel>
          <Loading query={{ error, mutate }} lines={8} />
        </Panel>
      </>
    )
  }
  return <Device info={data.data} />
}

function Device({ info }: { readonly info: SaasInfo }) {
  const { toActions, dialog } = useDeviceDialogs()
  return (
    <>
      <PageHeader
        title={memberLabel(info)}
        trail={TRAIL}
        facts={
          <>
            <CopyText text={info.router_name} label="复制设备名称" />
            <PresenceBadge presence={info.presence} type={ROUTER_TYPE.hardware} isStale={false} />
            <span>{editionText(info.share)}</span>
          </>
        }
        actions={<PageActions subject={memberLabel(info)} main={[]} beside={toActions(info)} more={[]} />}
      />
      <Panel title="设备信息">
        <Facts facts={factsOf(info)} />
      </Panel>
      <Panel>
        <Views info={info} />
      </Panel>
      <PresenceList routerName={info.router_name} />
      {dialog}
    </>
  )
}

const VIEWS = [
  { value: 'traffic', label: '流量' },
  { value: 'analysis', label: '流量分析' },
] as const
const ANALYSES = [
  { value: 'appLog', label: '应用流量', kind: 'apps', View: FlowChart },
  { value: 'appLogTop', label: '应用占比', kind: 'apps', View: FlowTop },
  { value: 'origScrLog', label: '源地址流量', kind: 'sources', View: FlowChart },
  { value: 'origScrLogTop', label: '源地址占比', kind: 'sources', View: FlowTop },
] as const

function Views({ info: { router_name: routerName, analysis } }: { readonly info: SaasInfo }) {
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('traffic')
  const [analysed, setAnalysed] = useState<(typeof ANALYSES)[number]['value']>('appLog')
  return (
    <Tabs label="流量与分析" value={view} options={VIEWS} onChange={setView}>
      {view === 'traffic' ? (
        <TrafficView routerName={routerName} />
      ) : (
        <>
          {analysis === 0 && (
            <NothingYet title="设备暂未上报流量分析" hint="设备离线，或设备版本不支持流量分析，请升级设备。" />
          )}
          <Tabs label="流量分析" value={analysed} options={ANALYSES} onChange={setAnalysed}>
            {ANALYSES.filter(({ value }) => value === analysed).map(({ value, View, ...flow }) => (
              <View key={value} routerName={routerName} {...flow} />
            ))}
          </Tabs>
        </>
      )}
    </Tabs>
  )
}

function factsOf(info: SaasInfo): readonly Fact[] {
  const temporary = temporaryText(info, Date.now())
  return [
    { label: '备注', value: info.note || '—' },
    { label: '分组', value: info.group || '未分组' },
    { label: '版本', value: editionText(info.share) },
    { label: '带宽', value: `${mbsText(info.bandwidth)}（最大 ${info.max_bandwidth} Mbs）` },
    { label: '当前生效带宽', value: mbsText(info.current_bandwidth) },
    ...(temporary === '' ? [] : [{ label: '临时带宽', value: temporary }]),
    ...(info.pool_name === '' ? [] : [{ label: '带宽池', value: info.pool_name }]),
    { label: '到期时间', value: <ExpiryDate at={info.expire_date} /> },
    { label: '地址', value: info.ip.length === 0 ? '—' : info.ip.join('、') },
    { label: '上线时间', value: info.online_time === null ? '—' : timeText(info.online_time) },
    { label: '本次在线流量', value: bothText(info) },
    { label: 'WAN地址', value: info.router_ipv4 || '—' },
    { label: '型号', value: info.router_model || '—' },
    { label: 'MAC', value: info.router_mac || '—' },
    { label: '系统版本', value: info.version || '—' },
    {
      label: '组网',
      value: (
        <FirstOf
          label="组网"
          items={info.network.map(({ network_name, network_number, network_member_count }) => ({
            text: `${network_name}（${network_member_count} 个成员）`,
            to: paths.network(network_number),
            name: network_name,
          }))}
        />
      ),
    },
  ]
}

type Row = Output<typeof saasApi.connect>[number]

function PresenceList({ routerName }: { readonly routerName: string }) {
  const list = useListState({})
  const query = usePresences(routerName, list)
  return (
    <Panel title="拨号记录">
      <FilterBar list={list} searchLabel="搜索IP或来源" />
      <DataTable
        label="拨号记录"
        columns={COLUMNS}
        rowKey={(row) => String(row.online_time)}
        isReadOnly
        empty={{ title: '暂无数据', hint: '设备每次上线都会在这里留下一条记录。' }}
        {...{ list, query }}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'ip', title: 'IP', isName: true, cell: (row) => <span className="nl-mono">{row.ip || '—'}</span> },
  { key: 'origin', title: '来源', cell: (row) => <span className="nl-mono">{row.origin || '—'}</span> },
  { key: 'input', title: '上行', align: 'right', cell: (row) => volumeText(row.input) },
  { key: 'out', title: '下行', align: 'right', cell: (row) => volumeText(row.out) },
  {
    key: 'session',
    title: '时长',
    from: 'lg',
    cell: (row) => (row.session_date === null ? '—' : durationText(row.session_date * 1000)),
  },
  { key: 'online', title: '上线时间', cell: (row) => <TimeText at={row.online_time} /> },
  {
    key: 'stop',
    title: '下线时间',
    from: 'md',
    cell: (row) => (row.stop_time === null ? '在线中' : <TimeText at={row.stop_time} />),
  },
]
