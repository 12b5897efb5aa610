import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { NETWORK_TICKET_NAME } from '#contract/network/pop.ts'
import { paths } from '#lib/paths.ts'
import { useTimer } from '#ui/hooks/use-delays.ts'
import { MainArea } from '#ui/layout/main-area.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { NothingYet, Gone } from '#ui/state/page-states.tsx'
import { useNetworkInfo, useTicketConfig, useCreateTicket } from '#pages/network/api.ts'
import {
  EMPTY_ORDER,
  type TicketConfig,
  listMembers,
  missingIn,
  type Order,
  returnMembers,
  toPopConf,
} from './order.ts'
import styles from './ticket-create-page.module.css'
import { NETWORK_TICKET } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { navigation } from '#lib/navigation.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { NoteList } from '#ui/layout/form-notes.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import { toErrorView } from '#ui/state/error-view.ts'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { OrderMembers, OrderSpec } from './order-steps.tsx'
import { bandwidthText, NOT_CHOSEN, UNASSIGNED_TEXT, yearsText } from './ticket-text.tsx'

/** Page that orders POP access for a network in steps: areas and bandwidth, members of each, submission (network 2). */
export function TicketCreatePage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  const network = useNetworkInfo(networkNumber || null).data?.data
  if (networkNumber === '') return <Navigate to={paths.networks()} replace />
  return (
    <MainArea>
      <div className={styles.page}>
        <PageHeader
          title={NETWORK_TICKET_NAME}
          trail={[
            { label: '组网列表', to: paths.networks() },
            { label: network?.network_name ?? networkNumber, to: paths.network(networkNumber) },
          ]}
        />
        <LoadedWizard key={networkNumber} networkNumber={networkNumber} />
      </div>
    </MainArea>
  )
}

function LoadedWizard({ networkNumber }: { readonly networkNumber: string }) {
  const { data, error, mutate } = useTicketConfig(networkNumber)
  const navigate = useNavigate()
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networks()} />
  const config = data?.data
  if (config?.refused) return <Refused networkNumber={networkNumber} refused={config.refused} />
  if (config !== undefined && config.ticket.pop.length > 0)
    return <OrderWizard networkNumber={networkNumber} config={config} />
  return (
    <Panel>
      {config !== undefined ? (
        <NothingYet
          title="暂不可购买"
          hint="目前没有可接入的POP区域。"
          action={<Button onClick={() => void navigate(paths.networks())}>返回组网列表</Button>}
        />
      ) : (
        <Loading query={{ error, mutate }} lines={8} />
      )}
    </Panel>
  )
}

interface RefusedProps {
  readonly networkNumber: string
  readonly refused: NonNullable<TicketConfig['refused']>
}

/** Refusal in place of the first step, so that nobody fills in an order that would be refused at the end. */
function Refused({ networkNumber, refused: { msg, network_ticket_number: number } }: RefusedProps) {
  const navigate = useNavigate()
  const ticket = { network_number: networkNumber, network_ticket_number: number }
  const [to, verb] =
    number === '' ? [paths.network(networkNumber), '返回组网'] : [paths.networkTicket(ticket), '查看未完成的工单']
  return (
    <Panel>
      <NothingYet
        title="暂时不能提交接入POP工单"
        hint={msg}
        action={<Button onClick={() => void navigate(to)}>{verb}</Button>}
      />
    </Panel>
  )
}

const NOTES = [
  '工单进入“未处理”，由服务商受理并开通；未处理的可以删除，处理中的可以取消。',
  '有效期从开通之日起算，等待处理的时间不计。',
  '开通后资源出现在“POP资源”，再为组网设置POP网段，为成员选择区域。',
]

const STEPS = ['区域与规格', '分配成员', '确认提交']
const LAST = STEPS.length - 1

const chosenAreas = ({ ticket }: TicketConfig, { areas }: Order) =>
  ticket.pop.filter(({ value }) => areas.includes(value))

/** Facts of the order so far. They stand beside the steps; the last step shows them with `orderMembers`. */
const orderFacts = (config: TicketConfig, order: Order): readonly Fact[] => [
  {
    label: 'POP区域',
    value:
      chosenAreas(config, order)
        .map(({ name }) => name)
        .join('、') || NOT_CHOSEN,
  },
  { label: '有效期', value: order.years === null ? NOT_CHOSEN : yearsText(order.years) },
  { label: '带宽', value: order.bandwidth === null ? NOT_CHOSEN : bandwidthText(order.bandwidth) },
  { label: '已分配成员', value: `${order.areaOf.size} / ${config.member.length}` },
]

const orderMembers = (config: TicketConfig, order: Order): readonly Fact[] =>
  chosenAreas(config, order).map(({ value, name }) => ({
    label: `${name}的成员`,
    value: listMembers(order, config, value).map(memberLabel).join('、') || UNASSIGNED_TEXT,
  }))

function OrderWizard({ networkNumber, config }: { networkNumber: string; config: TicketConfig }) {
  const [order, setOrder] = useState(EMPTY_ORDER)
  const [step, setStep] = useState(0)
  const [isTried, setTried] = useState(false)
  const problems = missingIn(order)
  const create = useCreateTicket()
  const isDone = create.data !== undefined
  useLeaveGuard(order !== EMPTY_ORDER && !isDone)
  const delay = useTimer()

  const goBack = () => {
    if (step === LAST) setOrder(returnMembers(order))
    create.reset()
    setStep(step - 1)
  }
  const submit = async () => {
    const { areas, years, bandwidth } = order
    if (years === null || bandwidth === null) return
    const ticket = { pop: [...areas], expired_time: years, bandwidth }
    const made = await create
      .trigger({ network_number: networkNumber, ticket, pop_conf: toPopConf(order) })
      .catch(() => null)
    if (made === null) return
    setStep(STEPS.length)
    delay(() => navigation.back(paths.network(networkNumber)), NETWORK_TICKET.backMs)
  }
  const goOn = () => {
    if (step === LAST) return void submit()
    setTried(true)
    if (Object.keys(problems).length === 0) setStep(step + 1)
  }
  return (
    <div className={styles.columns}>
      <Panel title={STEPS[step] ?? '已提交'}>
        <Wizard steps={STEPS} step={step} {...(step > 0 && !isDone && { onBack: goBack })}>
          {step === 0 && (
            <OrderSpec config={config} order={order} problems={isTried ? problems : {}} onChange={setOrder} />
          )}
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
              <Button theme="solid" type="primary" loading={create.isMutating} onClick={goOn}>
                {step === LAST ? '提交' : '下一步'}
              </Button>
            </div>
          )}
        </Wizard>
      </Panel>
      {step < LAST && (
        <Panel title="已选">
          <Facts facts={orderFacts(config, order)} />
        </Panel>
      )}
      {step === LAST && (
        <Panel title="提交以后">
          <NoteList notes={NOTES} />
        </Panel>
      )}
    </div>
  )
}
