import Checkbox from '@douyinfe/semi-ui/lib/es/checkbox/checkbox'
import Slider from '@douyinfe/semi-ui/lib/es/slider'
import { useId } from 'react'
import { AREAS_REQUIRED } from '#contract/network/pop.ts'
import { toast } from '#lib/toast/toast.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import { type Order, type TicketConfig, toggleArea } from './order.ts'
import { bandwidthText, yearsText } from './ticket-text.ts'
import styles from './order-wizard.module.css'
import { NETWORK_TICKET } from '#contract/network/limits.ts'

interface OrderStepProps {
  readonly config: TicketConfig
  readonly order: Order
  readonly onChange: (order: Order) => void
}

/** Areas, validity and bandwidth. The last area that is chosen stays. */
export function OrderSpec({ config, order, onChange }: OrderStepProps) {
  const id = useId()
  const { pop, expired_time, bandwidth } = config.ticket
  const toggle = (value: number) => {
    const next = toggleArea(order, value)
    if (next === null) toast.error(AREAS_REQUIRED)
    else onChange(next)
  }
  const offered = NETWORK_TICKET.bandwidthOffered.filter((mbps) => mbps >= bandwidth.min && mbps <= bandwidth.max)
  return (
    <div className={styles.fields}>
      <div className={styles.field} role="group" aria-labelledby={`${id}-pop`}>
        <span id={`${id}-pop`} className={styles.label}>
          POP区域
        </span>
        <div className={styles.options}>
          {pop.map(({ value, name }) => (
            <Checkbox key={value} checked={order.areas.includes(value)} onChange={() => toggle(value)}>
              {name}
            </Checkbox>
          ))}
        </div>
      </div>
      <div className={styles.field}>
        <span className={styles.label}>有效期</span>
        <div>
          <Segmented
            label="有效期"
            value={String(order.years)}
            options={expired_time.map(({ value }) => ({ value: String(value), label: yearsText(value) }))}
            onChange={(years) => onChange({ ...order, years: Number(years) })}
          />
        </div>
      </div>
      <div className={styles.field}>
        <span className={styles.label}>带宽：{bandwidthText(order.bandwidth)}</span>
        <div>
          <Segmented
            label="常用带宽"
            value={String(order.bandwidth)}
            options={offered.map((mbps) => ({ value: String(mbps), label: bandwidthText(mbps) }))}
            onChange={(mbps) => onChange({ ...order, bandwidth: Number(mbps) })}
          />
        </div>
        <div className={styles.slider}>
          <Slider
            aria-label="带宽"
            getAriaValueText={(mbps) => bandwidthText(mbps)}
            min={bandwidth.min}
            max={bandwidth.max}
            step={1}
            value={order.bandwidth}
            onChange={(mbps) => {
              if (typeof mbps === 'number') onChange({ ...order, bandwidth: mbps })
            }}
          />
        </div>
      </div>
    </div>
  )
}
