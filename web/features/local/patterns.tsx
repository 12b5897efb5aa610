import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ComponentType, useState } from 'react'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { bandwidthText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import type { SegmentedOption } from '#ui/form/segmented.tsx'
import { Listbox } from '#ui/form/inputs/listbox.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { FormNotes } from '#ui/layout/form-notes.tsx'
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
import { ACTIONS, LONG, LONG_MEMBERS, SAMPLE_MEMBERS, SAMPLE_NOW, type SampleMember } from './samples/sample.tsx'
import styles from './kit.module.css'

/* Sample pages of the kit by pattern: list, detail, settings, wizard. */

interface PatternProps {
  /** Chosen contents: a number of rows, `long` texts, or a state. */
  readonly rows: string
}

const STATES = [
  { value: 'all', label: '全部' },
  { value: 'online', label: '在线' },
  { value: 'offline', label: '离线' },
] as const

const COLUMNS: readonly Column<SampleMember>[] = [
  {
    key: 'name',
    title: '成员',
    isName: true,
    sort: { by: 'name', first: 'asc' },
    cell: (row) => <MemberIdentity member={row} to={paths.router(row.router_name)} compactText={row.model} />,
  },
  {
    key: 'state',
    title: '状态',
    phone: 'aside',
    cell: ({ presence }) => <PresenceCell isStale={false} type={ROUTER_TYPE.hardware} presence={presence} />,
  },
  { key: 'model', title: '型号', from: 'md', cell: (row) => row.model },
  { key: 'bandwidth', title: '带宽', from: 'lg', align: 'right', cell: (row) => bandwidthText(row.bandwidthMbps) },
  { key: 'seen', title: '最近在线', from: 'xl', cell: (row) => <TimeText at={row.presence.last_seen} never="从未" /> },
  { key: 'version', title: '版本', isOptional: true, cell: (row) => row.version },
]

/** No column has a place beside the name: a phone shows cards. */
const CARD_COLUMNS: readonly Column<SampleMember>[] = [
  { key: 'name', title: '成员', isName: true, cell: (row) => row.router_name },
  { key: 'model', title: '型号', cell: (row) => row.model },
]

const hasLongTexts = (rows: string): boolean => rows === 'long' || rows === 'cards'

function ListPattern({ rows }: PatternProps) {
  const list = useListState({ state: 'all' }, ['created', 'name'])
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
      filters={<FilterSwitch list={list} name="state" label="状态" options={STATES} />}
      columns={rows === 'cards' ? CARD_COLUMNS : COLUMNS}
      rowKey={(row) => row.router_name}
      rowName={(row) => row.note}
      toRowActions={(row) => [{ label: '详情', to: paths.router(row.router_name) }, ...ACTIONS]}
      selection={{ ...useSelection('samples'), actions: <Button type="danger">批量删除</Button> }}
      outdated={rows === 'long' ? 3 : 0}
      empty={{ hint: '把第一台路由器接入组网，几分钟内即可看到它上线。', action: add }}
      list={list}
      query={{ isValidating: rows === 'loading', mutate: () => {}, ...toReply(rows, list) }}
    />
  )
}

function toReply(rows: string, list: ListState<'state', 'created' | 'name'>): Partial<TableQuery<SampleMember>> {
  if (rows === 'loading') return {}
  const { search, filters, sort, order, page, limit } = list
  const found = (hasLongTexts(rows) ? LONG_MEMBERS : SAMPLE_MEMBERS.slice(0, Number(rows))).filter(
    ({ note, router_name, presence }) =>
      (filters.state === 'all' || presence.state === filters.state) && `${note}${router_name}`.includes(search),
  )
  if (sort === 'name') found.sort((a, b) => a.note.localeCompare(b.note, 'zh-CN') * (order === 'asc' ? 1 : -1))
  if (rows === UNPAGED.value) return { data: { data: found, count: limit } }
  return { data: { data: found.slice((page - 1) * limit, page * limit), count: found.length } }
}

/** Detail pattern: state next to the name, one verb and ⋯, then faults, numbers and facts. */
function DetailPattern({ rows }: PatternProps) {
  const isLong = rows === 'long'
  const name = isLong ? LONG.name : '无锡工厂机房'
  const serial = isLong ? LONG.serial : 'NL80C001'
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
        actions={<RowActions actions={ACTIONS} subject={name} />}
      />
      <Notice tone="warn" role="status" actions={<Button size="small">查看</Button>}>
        网段 10.68.0.0/24 与“{name}”重叠，两边之间无法互通。
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
            { label: '型号', value: serial },
            { label: 'LAN 网段', value: '10.65.0.0/24' },
            { label: '备注', value: LONG.note },
          ]}
        />
      </Panel>
    </>
  )
}

/** Settings pattern: one panel a subject, each with its own form and save button. */
function SettingsPattern({ rows }: PatternProps) {
  return (
    <>
      <PageHeader title="设置页" facts="每个主题一个面板，保存按钮在自己的面板里" />
      <Panel title="通知">
        <FormNotes title="保存以后" notes={['设备立即收到新的设置。', '修改会记入操作审计。']}>
          <SettingsForm {...(rows === 'long' && { gateway: LONG.name, help: LONG.help })} />
        </FormNotes>
      </Panel>
    </>
  )
}

const STEPS = ['区域与成员', '核对内容', '确认提交']

function WizardPattern({ rows }: PatternProps) {
  const members = rows === 'long' ? LONG_MEMBERS : SAMPLE_MEMBERS.slice(0, Number(rows))
  const [step, setStep] = useState(0)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [state, setState] = useState<'' | 'online' | 'offline'>('')
  const withState = (wanted: string) => members.filter(({ presence }) => presence.state === wanted)
  return (
    <>
      <PageHeader title="接入POP" trail={[{ label: '组网列表', to: paths.networks() }]} />
      <Panel title={STEPS[step]}>
        <Wizard steps={STEPS} step={step} {...(step === 1 && { onBack: () => setStep(0) })}>
          {step === 0 && (
            <div className={styles.choice}>
              <CountChips
                label="按状态筛选"
                value={state}
                total={members.length}
                chips={[
                  { value: 'online', label: '在线', count: withState('online').length },
                  { value: 'offline', label: '离线', count: withState('offline').length },
                ]}
                onChange={setState}
              />
              <Listbox
                label="可选成员"
                options={state === '' ? members : withState(state)}
                optionKey={(member) => member.router_name}
                toRow={({ note, router_name, presence }) => ({
                  label: note,
                  second: router_name,
                  aside: <StatusBadge state={presence.state} />,
                })}
                selected={selected}
                onSelect={setSelected}
                emptyText="没有符合条件的示例"
                heightPx={320}
              />
            </div>
          )}
          {step === 2 ? (
            <WizardDone title="提交成功" />
          ) : (
            <Button theme="solid" type="primary" disabled={selected.size === 0} onClick={() => setStep(step + 1)}>
              {step === 0 ? '下一步' : `提交 ${selected.size} 个`}
            </Button>
          )}
        </Wizard>
      </Panel>
    </>
  )
}

const SHORT = { value: '', label: '示例' }
const LONG_TEXTS = { value: 'long', label: '长文本' }
/** All rows on one page, for the bench of scrolling: no list of the product is as long. */
const UNPAGED = { value: '200', label: '200 行（不分页）' }
const rowCount = (count: number) => ({ value: String(count), label: `${count} 行` })

export interface Pattern {
  readonly id: string
  readonly title: string
  readonly Page: ComponentType<PatternProps>
  /** Contents by `rows` in the address; the first is the default. */
  readonly contents: readonly [SegmentedOption, ...SegmentedOption[]]
}

export const PATTERNS: readonly Pattern[] = [
  {
    id: 'list',
    title: '列表页',
    Page: ListPattern,
    contents: [
      rowCount(41),
      UNPAGED,
      rowCount(0),
      rowCount(1),
      LONG_TEXTS,
      { value: 'cards', label: '卡片' },
      { value: 'loading', label: '首次加载' },
    ],
  },
  { id: 'detail', title: '详情页', Page: DetailPattern, contents: [SHORT, LONG_TEXTS] },
  { id: 'settings', title: '设置页', Page: SettingsPattern, contents: [SHORT, LONG_TEXTS] },
  { id: 'wizard', title: '向导页', Page: WizardPattern, contents: [rowCount(200), rowCount(0), LONG_TEXTS] },
]
