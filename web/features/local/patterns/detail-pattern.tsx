import Button from '@douyinfe/semi-ui/lib/es/button'
import { useSearchParams } from 'react-router'
import { paths } from '#lib/paths.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { RowActions } from '#ui/table/row-actions.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { ConfigTag, StatusBadge } from '#ui/state/status-badge.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { LONG_NAME, LONG_NOTE, LONG_SERIAL, SAMPLE_NOW } from '../samples/sample-data.ts'

const ACTIONS = [
  { label: '备注', onSelect: () => {} },
  { label: '重新下发', onSelect: () => {} },
  { label: '删除', danger: true, onSelect: () => {} },
]

/** The page of one object: state next to the name, one verb and ⋯, then what is wrong, numbers, facts. */
export function DetailPattern() {
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
        actions={<RowActions actions={ACTIONS} subject={name} />}
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
