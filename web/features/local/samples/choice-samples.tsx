import { useState } from 'react'
import { MultiChoice } from '#ui/form/inputs/multi-choice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import styles from '../kit.module.css'

const NETWORKS = ['总部与工厂互联', '沿海门店收银网', '港口仓储网', '研发测试网', '视频监控回传'].map((label, n) => ({
  value: `26000000${n}1`,
  label,
  second: `26000000${n}1`,
}))
const MANY = Array.from({ length: 300 }, (_, n) => {
  const value = String(3_000_000_000 + n * 7)
  return { value, label: `门店 ${n + 1}`, second: value }
})

export function ChoiceSamples() {
  return (
    <div className={styles.forms}>
      <Sample title="多选" options={NETWORKS} start={['2600000011']} />
      <Sample title="含已删除的一项" options={NETWORKS} start={['2600000011', '1111111111']} />
      <Sample title="三百项" options={MANY} start={[]} />
      <Sample title="没有可选" options={[]} start={[]} />
    </div>
  )
}

interface SampleProps {
  readonly title: string
  readonly options: Parameters<typeof MultiChoice>[0]['options']
  readonly start: readonly string[]
}

function Sample({ title, options, start }: SampleProps) {
  const [value, setValue] = useState(start)
  return (
    <Panel title={title}>
      <MultiChoice
        label={title}
        options={options}
        value={value}
        onChange={setValue}
        searchLabel="搜索示例组网"
        emptyText="还没有组网"
        missingText="已删除"
      />
    </Panel>
  )
}
