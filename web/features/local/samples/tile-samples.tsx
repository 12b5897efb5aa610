import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { Icon } from '#ui/state/icon.tsx'
import { Meter, Meters } from '#ui/chart/bars/meter.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Listbox } from '#ui/form/inputs/listbox.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import styles from '../kit.module.css'
import { LONG_MEMBERS, SAMPLE_MEMBERS, type SampleMember } from './sample-data.ts'

const toRow = ({ note, router_name, state }: SampleMember) => ({
  label: note,
  second: router_name,
  aside: <StatusBadge state={state} />,
})

/** Notices, numbers, chips and the list to pick from, with none, one, many and with long texts. */
export function TileSamples() {
  const [state, setState] = useState('')
  return (
    <>
      <Notice role="status">已保存，正在下发到 3 台设备</Notice>
      <Notice tone="warn" role="status" actions={<Button size="small">调整</Button>}>
        网段 10.68.0.0/24 与“重庆1号站”重叠，重叠的地址之间无法互通，请修改其中一方的网段。
      </Notice>
      <Notice tone="bad" role="alert" icon={<Icon shape="cross" tone="bad" />}>
        示例服务已停用，续费后恢复使用。
      </Notice>
      <StatTiles>
        <StatTile label="席位" value="0 / 0" share={0} />
        <StatTile label="席位" value="48 / 100" share={0.48} />
        <StatTile label="席位" value="96 / 100" share={0.96} tone="warn" note="即将用完" />
        <StatTile label="席位" value="12,105 / 12,000" share={1} tone="bad" note="超出 105 个" />
      </StatTiles>
      <div className={styles.grid}>
        <Panel title="用量">
          <Meters>
            <Meter label="硬件成员" used={0} total={0} tone="idle" />
            <Meter label="软件成员" used={48} total={100} tone="accent" note="含停用的成员" />
            <Meter label="带宽" used={120} total={100} tone="bad" note="已超出" />
          </Meters>
        </Panel>
        <Panel title="状态与数量">
          <CountChips
            label="按状态筛选"
            value={state}
            total={1_048}
            chips={[
              { value: 'online', label: '在线', count: 1_040 },
              { value: 'offline', label: '离线', count: 8 },
              { value: 'never', label: '从未上线', count: 0 },
            ]}
            onChange={setState}
          />
        </Panel>
      </div>
      <div className={styles.grid}>
        <PickSample title="200 个成员" options={SAMPLE_MEMBERS} />
        <PickSample title="长文本" options={LONG_MEMBERS} />
        <PickSample title="没有成员" options={[]} />
      </div>
    </>
  )
}

function PickSample({ title, options }: { readonly title: string; readonly options: readonly SampleMember[] }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return (
    <Panel title={title}>
      <Listbox
        label={title}
        options={options}
        optionKey={({ router_name }) => router_name}
        toRow={toRow}
        selected={selected}
        onSelect={setSelected}
        emptyText="没有示例成员"
        heightPx={192}
      />
    </Panel>
  )
}
