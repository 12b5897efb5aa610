import { useState } from 'react'
import { TruncatedText } from '#ui/layout/text/truncated-text.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { ExpiryText, SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { RateText, TrafficText } from '#ui/layout/text/traffic-text.tsx'
import { useTrafficUnit } from '#ui/chart/traffic-unit.ts'
import { bandwidthText, countText } from '#lib/format/format-unit.ts'
import { LONG_NOTE, SAMPLE_NOW } from './sample-data.ts'

const DAY = 86_400_000

export function TextSamples() {
  const [unit, setUnit] = useTrafficUnit()
  const [now] = useState(() => Date.now())
  return (
    <Panel
      title="组网信息"
      actions={
        <Segmented
          label="流量单位"
          value={unit}
          onChange={setUnit}
          options={[
            { value: 'bit', label: 'bit/s' },
            { value: 'byte', label: 'B/s' },
          ]}
        />
      }
    >
      <Facts
        facts={[
          { label: '组网编号', value: <CopyText text="NW20260115003" label="复制编号" /> },
          { label: '备注', value: <TruncatedText text={LONG_NOTE} max={18} /> },
          { label: '创建时间', value: <TimeText at={SAMPLE_NOW} /> },
          { label: '最近变更', value: <TimeText at={now - 5 * 60_000} mode="relative" /> },
          { label: '最近登录', value: <TimeText at={null} never="从未" /> },
          { label: '在线时长', value: <SinceText at={now - 3 * DAY - 4 * 3_600_000} /> },
          { label: '服务到期', value: <ExpiryText at={now + 200 * DAY} /> },
          { label: '带宽到期', value: <ExpiryText at={now + 21 * DAY} /> },
          { label: 'POP 到期', value: <ExpiryText at={now + 3 * DAY} /> },
          { label: '授权到期', value: <ExpiryText at={now - DAY} /> },
          { label: '带宽', value: bandwidthText(1_200) },
          { label: '成员数', value: countText(12_480) },
          { label: '当前下行', value: <RateText bitsPerSecond={41_862_000} /> },
          { label: '当前上行', value: <RateText bitsPerSecond={null} /> },
          { label: '今日流量', value: <TrafficText bits={9.62e11} /> },
        ]}
      />
    </Panel>
  )
}
