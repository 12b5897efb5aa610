import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useRef, useState } from 'react'
import { navigation } from '#lib/navigation.ts'
import { paths } from '#lib/paths.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { Facts, type Fact } from '#ui/layout/facts.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import { useCreateTicket } from '#pages/network/api.ts'
import { type TicketConfig, createOrder, returnMembers, toPopConf, type Order, listMembers } from './order.ts'
import { OrderMembers } from './order-members.tsx'
import { OrderSpec } from './order-spec.tsx'
import styles from './order-wizard.module.css'
import { UNASSIGNED_TEXT, bandwidthText, yearsText } from './ticket-text.ts'
import { NETWORK_TICKET } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'

interface OrderWizardProps {
  readonly networkNumber: string
  readonly config: TicketConfig
}

const STEPS = ['区域与规格', '分配成员', '确认提交']
const LAST = STEPS.length - 1

const chosenAreas = ({ ticket }: TicketConfig, { areas }: Order) =>
  ticket.pop.filter(({ value }) => areas.includes(value))

/** Facts of an order so far: beside the steps of its wizard, and with `orderMembers` in the last one. */
const orderFacts = (config: TicketConfig, order: Order): readonly Fact[] => [
  {
    label: 'POP区域',
    value: chosenAreas(config, order)
      .map(({ name }) => name)
      .join('、'),
  },
  { label: '有效期', value: yearsText(order.years) },
  { label: '带宽', value: bandwidthText(order.bandwidth) },
  { label: '已分配成员', value: `${order.areaOf.size} / ${config.member.length}` },
]

/** The members of each area. */
const orderMembers = (config: TicketConfig, order: Order): readonly Fact[] =>
  chosenAreas(config, order).map(({ value, name }) => ({
    label: `${name}的成员`,
    value: listMembers(order, config, value).map(memberLabel).join('、') || UNASSIGNED_TEXT,
  }))

/** Three steps; the sum of what was chosen stays in sight. */
export function OrderWizard({ networkNumber, config }: OrderWizardProps) {
  const [start] = useState(() => createOrder(config))
  const [order, setOrder] = useState(start)
  const [step, setStep] = useState(0)
  const create = useCreateTicket()
  const isDone = create.data !== undefined
  useLeaveGuard(order !== start && !isDone)
  const backTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(backTimer.current), [])

  const goBack = () => {
    if (step === LAST) setOrder(returnMembers(order))
    create.reset()
    setStep(step - 1)
  }
  const submit = async () => {
    const { areas, years, bandwidth } = order
    const ticket = { pop: [...areas], expired_time: years, bandwidth }
    const made = await create
      .trigger({ network_number: networkNumber, ticket, pop_conf: toPopConf(order) })
      .catch(() => null)
    if (made === null) return
    setStep(STEPS.length)
    backTimer.current = setTimeout(() => navigation.back(paths.network(networkNumber)), NETWORK_TICKET.backMs)
  }
  return (
    <div className={styles.columns}>
      <Panel title={STEPS[step] ?? '已提交'}>
        <Wizard steps={STEPS} step={step} {...(step > 0 && !isDone && { onBack: goBack })}>
          {step === 0 && <OrderSpec config={config} order={order} onChange={setOrder} />}
          {step === 1 && <OrderMembers config={config} order={order} onChange={setOrder} />}
          {step === LAST && <Facts facts={[...orderFacts(config, order), ...orderMembers(config, order)]} />}
          {create.error !== undefined && (
            <Notice tone="bad" role="alert">
              {toErrorView(create.error).message}
            </Notice>
          )}
          {step > LAST ? (
            <WizardDone title="提交成功" />
          ) : (
            <div className={styles.foot}>
              {step === LAST ? (
                <Button theme="solid" type="primary" loading={create.isMutating} onClick={() => void submit()}>
                  提交
                </Button>
              ) : (
                <Button theme="solid" type="primary" onClick={() => setStep(step + 1)}>
                  下一步
                </Button>
              )}
            </div>
          )}
        </Wizard>
      </Panel>
      {step < LAST && (
        <Panel title="已选">
          <Facts facts={orderFacts(config, order)} />
        </Panel>
      )}
    </div>
  )
}
