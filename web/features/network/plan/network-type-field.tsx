import { Segmented } from '#ui/form/segmented.tsx'
import { typeName } from '../network-text.ts'
import styles from './plan-form.module.css'
import { NETWORK, NETWORK_TYPE } from '#contract/network/limits.ts'

const OPTIONS = [NETWORK_TYPE.hub, NETWORK_TYPE.pointToPoint].map((type) => ({
  value: String(type),
  label: typeName(type),
}))
const HINT = {
  [NETWORK_TYPE.hub]: '普通点连接中心点，经中心点互通',
  [NETWORK_TYPE.pointToPoint]: `没有中心点，至少 ${NETWORK.pointToPointMin} 个成员；创建后为成员设置点对点互联`,
} as Readonly<Record<number, string>>

interface NetworkTypeFieldProps {
  readonly value: number
  readonly onChange: (type: number) => void
}

/** Type of a new network, which keeps it. */
export function NetworkTypeField({ value, onChange }: NetworkTypeFieldProps) {
  return (
    <div className={styles.type}>
      <Segmented label="组网类型" value={String(value)} options={OPTIONS} onChange={(type) => onChange(Number(type))} />
      <span className="nl-help">{HINT[value]}</span>
    </div>
  )
}
