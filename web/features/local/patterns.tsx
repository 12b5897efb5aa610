import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ComponentType, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { SENTENCE } from '#contract/kernel/result.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { ApiError } from '#lib/call/transport.ts'
import { bandwidthText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { Listbox } from '#ui/form/inputs/listbox.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import { PresenceCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ConfigTag, StatusBadge } from '#ui/state/status-badge.tsx'
import type { TableQuery } from '#ui/table/data-table.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import { RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { type ListState, useListState, useSelection } from '#ui/table/use-list-state.ts'
import { SettingsForm } from './samples/form-samples.tsx'
import {
  LONG_MEMBERS,
  LONG_NAME,
  LONG_NOTE,
  LONG_SERIAL,
  SAMPLE_MEMBERS,
  SAMPLE_NOW,
  type SampleMember,
} from './samples/sample.tsx'
import styles from './kit.module.css'

/* Sample pages of the kit by pattern: list, detail, settings, wizard. */

/** Contents of a page without rows. */
const TEXTS = [
  { value: '', label: '示例' },
  { value: 'long', label: '长文本' },
] as const

const LIST_SORTS = ['created', 'name'] as const
const LIST_CONTENTS = [
  { value: '41', label: '41 行' },
  { value: '0', label: '0 行' },
  { value: '1', label: '1 行' },
  { value: '200', label: '200 行（不分页）' },
  { value: 'long', label: '长文本' },
  { value: 'loading', label: '首次加载' },
  { value: 'error', label: '出错' },
  { value: 'forbidden', label: '无权限' },
] as const
const LIST_STATES = [
  { value: 'all', label: '全部' },
  { value: 'online', label: '在线' },
  { value: 'offline', label: '离线' },
] as const

const LIST_COLUMNS: readonly Column<SampleMember>[] = [
  {
    key: 'name',
    title: '成员',
    isName: true,
    sort: { by: 'name', first: 'asc' },
    cell: (row) => (
      <MemberIdentity member={row} to={`/router/detail?router_name=${row.router_name}`} compactText={row.model} />
    ),
  },
  {
    key: 'state',
    title: '状态',
    phone: 'aside',
    cell: ({ state, lastSeen }) => (
      <PresenceCell
        isStale={false}
        type={ROUTER_TYPE.hardware}
        presence={{
          state: state === 'unknown' ? 'never' : state,
          since: state === 'never' ? null : SAMPLE_NOW,
          last_seen: lastSeen,
          reason: '',
        }}
      />
    ),
  },
  { key: 'model', title: '型号', from: 'md', cell: (row) => row.model },
  { key: 'bandwidth', title: '带宽', from: 'lg', align: 'right', cell: (row) => bandwidthText(row.bandwidthMbps) },
  { key: 'seen', title: '最近在线', from: 'xl', cell: (row) => <TimeText at={row.lastSeen} never="从未" /> },
  { key: 'version', title: '版本', isOptional: true, cell: (row) => row.version },
]

/** List pattern. `rows` in the address is the number of rows. */
function ListPattern() {
  const [query] = useSearchParams()
  const rows = LIST_CONTENTS.find(({ value }) => value === query.get('rows'))?.value ?? '41'
  const list = useListState({ state: 'all' }, LIST_SORTS)
  const { keys, onChange } = useSelection('samples')
  const add = (
    <Button theme="solid" type="primary">
      添加成员
    </Button>
  )
  return (
    <ListPage
      title="列表页"
      facts="搜索、筛选、排序、页码都在地址里；主操作在右上角"
      actions={add}
      label="示例成员"
      searchLabel="搜索备注或序列号"
      filters={<FilterSwitch list={list} name="state" label="状态" options={LIST_STATES} />}
      columns={LIST_COLUMNS}
      rowKey={(row) => row.router_name}
      rowName={(row) => row.note}
      toRowActions={(row) => [
        { label: '详情', to: `/router/detail?router_name=${row.router_name}` },
        { label: '备注', onSelect: () => {} },
        { label: '重新下发', blocked: row.state === 'online' ? null : '设备当前离线', onSelect: () => {} },
        { label: '删除', danger: true, onSelect: () => {} },
      ]}
      selection={{ keys, onChange, actions: <Button type="danger">批量删除</Button> }}
      outdated={rows === 'long' ? 3 : 0}
      empty={{ hint: '把第一台路由器接入组网，几分钟内即可看到它上线。', action: add }}
      list={list}
      query={useSamples(rows, list)}
    />
  )
}

function useSamples(
  rows: string,
  { search, filters, sort, order, page, limit }: ListState<'state', 'created' | 'name'>,
) {
  return useMemo<TableQuery<SampleMember>>(() => {
    const idle = { isValidating: false, mutate: () => {} }
    if (rows === 'loading') return { ...idle, isValidating: true }
    if (rows === 'error') return { ...idle, error: new ApiError(500, SENTENCE.fault, { requestId: '8f3c2a9e-41d7' }) }
    if (rows === 'forbidden') return { ...idle, error: new ApiError(403, SENTENCE.permissionDenied) }
    const samples = rows === 'long' ? LONG_MEMBERS : SAMPLE_MEMBERS.slice(0, Number(rows))
    const found = samples.filter(
      (row) =>
        (filters.state === 'all' || row.state === filters.state) && `${row.note}${row.router_name}`.includes(search),
    )
    const sorted = sort === 'name' ? found.toSorted((a, b) => a.note.localeCompare(b.note, 'zh-CN')) : found
    const ordered = sort === 'name' && order === 'desc' ? sorted.toReversed() : sorted
    const shown = rows === '200' ? ordered : ordered.slice((page - 1) * limit, page * limit)
    return { ...idle, data: { data: shown, count: rows === '200' ? 10 : found.length } }
  }, [rows, search, filters.state, sort, order, page, limit])
}

const DETAIL_ACTIONS = [
  { label: '备注', onSelect: () => {} },
  { label: '重新下发', onSelect: () => {} },
  { label: '删除', danger: true, onSelect: () => {} },
]

/** Detail pattern: state next to the name, one verb and ⋯, then faults, numbers and facts. */
function DetailPattern() {
  const isLong = useSearchParams()[0].get('rows') === 'long'
  const name = isLong ? LONG_NAME : '无锡工厂机房'
  const serial = isLong ? LONG_SERIAL : 'NL80C001'
  return (
    <>
      <PageHeader
        title={name}
        trail={[{ label: '成员列表', to: paths.routers() }]}
        facts={
          <>
            <StatusBadge state="online" since={SAMPLE_NOW - 3_600_000} />
            <ConfigTag state="applied" since={SAMPLE_NOW} />
            <CopyText text={serial} label="复制序列号" />
          </>
        }
        actions={<RowActions actions={DETAIL_ACTIONS} subject={name} />}
      />
      <Notice tone="warn" role="status" actions={<Button size="small">查看</Button>}>
        网段 10.68.0.0/24 与“{isLong ? LONG_NAME : '重庆1号站'}”重叠，两边之间无法互通。
      </Notice>
      <StatTiles>
        <StatTile label="链路" value="66 / 66" />
        <StatTile label="席位" value={isLong ? '48,105 / 100,000' : '48 / 100'} share={0.48} note="每个组网各计一次" />
        <StatTile label="存储" value="96 / 100" share={0.96} tone="warn" />
        <StatTile label="成员" value="105 / 100" share={1.05} tone="bad" note="超出 5 个" />
      </StatTiles>
      <Panel title="设备信息">
        <Facts
          facts={[
            { label: '型号', value: isLong ? LONG_SERIAL : 'NL-X2' },
            { label: '公网 IP', value: <CopyText text="203.0.113.7" label="复制公网 IP" /> },
            { label: 'LAN 网段', value: '10.65.0.0/24' },
            { label: '版本', value: '2.3.1' },
            { label: '创建时间', value: <TimeText at={SAMPLE_NOW} /> },
            { label: '备注', value: LONG_NOTE },
          ]}
        />
      </Panel>
    </>
  )
}

const LONG_HELP =
  '设备离线超过上面的延迟后发送，恢复时另发一条；中心点离线时它的普通点不再逐个通知，组网中断只通知一次，直到任一中心点恢复在线'

/** Settings pattern: one panel a subject, each with its own form and save button. */
function SettingsPattern() {
  const isLong = useSearchParams()[0].get('rows') === 'long'
  return (
    <>
      <PageHeader title="设置页" facts="每个主题一个面板，保存按钮在自己的面板里" />
      <Panel title="通知">
        <SettingsForm key={String(isLong)} {...(isLong && { gateway: LONG_NAME, help: LONG_HELP })} />
      </Panel>
    </>
  )
}

const WIZARD_STEPS = ['选择成员', '确认', '完成']

const WIZARD_CONTENTS = [
  { value: '', label: '200 个成员' },
  { value: '1', label: '1 个' },
  { value: '0', label: '没有' },
  { value: 'long', label: '长文本' },
] as const

/** Wizard pattern: each step has an address, and the sum of the choices stays visible. */
function WizardPattern() {
  const [query, setQuery] = useSearchParams()
  const step = Math.min(WIZARD_STEPS.length, Math.max(1, Math.trunc(Number(query.get('step'))) || 1)) - 1
  const rows = query.get('rows') ?? ''
  const members = rows === 'long' ? LONG_MEMBERS : SAMPLE_MEMBERS.slice(0, Number(rows === '' ? 200 : rows))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [state, setState] = useState<'' | 'online' | 'offline'>('')
  const go = (to: number) => setQuery({ pattern: 'wizard', rows, step: String(to + 1) })
  const shown = members.filter((member) => state === '' || member.state === state)
  const count = (wanted: string) => members.filter((member) => member.state === wanted).length
  return (
    <>
      <PageHeader title="接入POP" trail={[{ label: '组网列表', to: paths.networks() }]} />
      <div className={styles.wizard}>
        <Panel title={WIZARD_STEPS[step]}>
          <Wizard steps={WIZARD_STEPS} step={step} {...(step === 1 && { onBack: () => go(0) })}>
            {step === 0 && (
              <div className={styles.choice}>
                <CountChips
                  label="按状态筛选"
                  value={state}
                  total={members.length}
                  chips={[
                    { value: 'online', label: '在线', count: count('online') },
                    { value: 'offline', label: '离线', count: count('offline') },
                  ]}
                  onChange={setState}
                />
                <Listbox
                  label="可选成员"
                  options={shown}
                  optionKey={(member) => member.router_name}
                  toRow={(member) => ({
                    label: member.note,
                    second: member.router_name,
                    aside: <StatusBadge state={member.state} />,
                  })}
                  selected={selected}
                  onSelect={setSelected}
                  emptyText="没有符合条件的示例"
                  heightPx={320}
                />
              </div>
            )}
            {step === 2 ? (
              <WizardDone title="提交成功">
                <Button theme="solid" type="primary" onClick={() => go(0)}>
                  重新开始
                </Button>
              </WizardDone>
            ) : (
              <Button theme="solid" type="primary" disabled={selected.size === 0} onClick={() => go(step + 1)}>
                {step === 0 ? '下一步' : '提交'}
              </Button>
            )}
          </Wizard>
        </Panel>
        <Panel title="已选">
          <Facts
            facts={[
              { label: '成员', value: `${selected.size} 个` },
              { label: '有效期', value: '1 年' },
              { label: '带宽', value: '50 Mbps' },
            ]}
          />
        </Panel>
      </div>
    </>
  )
}

interface Content {
  readonly value: string
  readonly label: string
}

/** Pages by pattern; `contents` go by `rows` in the address, the first is the default. */
export const PATTERNS: readonly {
  readonly id: string
  readonly title: string
  readonly Page: ComponentType
  readonly contents: readonly Content[]
}[] = [
  { id: 'list', title: '列表页', Page: ListPattern, contents: LIST_CONTENTS },
  { id: 'detail', title: '详情页', Page: DetailPattern, contents: TEXTS },
  { id: 'settings', title: '设置页', Page: SettingsPattern, contents: TEXTS },
  { id: 'wizard', title: '向导页', Page: WizardPattern, contents: WIZARD_CONTENTS },
]
