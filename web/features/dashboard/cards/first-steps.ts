import { FIRST_STEP_TITLE, type FirstStep, type FirstStepState, type Overview } from '#contract/overview/index.ts'
import { type Access, type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { TICKET_STATUS, TICKET_STATUS_WORD } from '#contract/ticket/index.ts'
import { shortTimeText } from '#lib/format/format-time.ts'
import { paths } from '#lib/paths.ts'

/* First steps of a new account: texts, links, and the steps that a role is shown. */

const TEXT = {
  service: {
    hint: '席位决定组网里能有多少成员，由服务商开通',
    access: 'session',
    label: '联系服务商',
    to: paths.requestService('service'),
  },
  hardware: {
    hint: '输入机身标签上的序列号与激活码',
    access: 'router:create',
    label: '认领硬件',
    to: paths.routers({ claim: 1 }),
  },
  software: {
    hint: '为在外办公的同事建立软件成员，他们用客户端登录后即可访问组网',
    access: 'router:create',
    label: '添加成员',
    to: paths.routers({ type: ROUTER_TYPE.software }),
  },
  network: {
    hint: '选择中心点与普通点，连成一张私有网络',
    access: 'network:create',
    label: '创建组网',
    to: paths.createNetwork,
  },
  online: {
    hint: '设备接通电源和网络后自行上线',
    access: 'session',
    label: '查看成员',
    to: paths.routers({ state: 'never' }),
  },
  alert: {
    hint: '成员离线、配置异常时，用邮件或群机器人通知您',
    access: 'monitor:create',
    label: '开启告警',
    to: paths.monitor,
  },
} satisfies Record<FirstStep, Record<'hint' | 'label' | 'to', string> & { access: Access }>

export interface ShownStep extends FirstStepState {
  readonly title: string
  readonly hint: string
  /** Reason why an open step has no link. */
  readonly blocked: string
  /** Link that leads to an open step; null if the role may not do it, or not yet. */
  readonly action: { readonly label: string; readonly to: string } | null
  /** The step is the first open one, and its action is the primary button. */
  readonly isNext: boolean
}

type Request = Overview['service_request']

/** 已提交 11-28 10:20，待回复 (submitted, waiting for the provider). */
function requestHint({ create_time, ticket_status }: NonNullable<Request>): string {
  const at = shortTimeText(create_time)
  return `已提交 ${at}，${ticket_status === TICKET_STATUS.waiting ? '待回复' : TICKET_STATUS_WORD[ticket_status]}`
}

interface ProviderFacts {
  /** Request to the provider. While it waits, the step after it is the next one. */
  readonly request: Request
  /** Software members that the account may have. */
  readonly softwareMax: number
}

const NO_RIGHT = '当前角色没有权限，请联系主账号'

/** Link of an open step that the role may do; what is not opened yet leads to the request for it. */
function toAction(step: FirstStep, { request, softwareMax }: ProviderFacts): ShownStep['action'] {
  if (step === 'service' && request !== null) return { label: '查看工单', to: paths.ticket(request.ticket_number) }
  if (step === 'software' && softwareMax === 0) return { label: '联系服务商', to: paths.requestService('software') }
  return { label: TEXT[step].label, to: TEXT[step].to }
}

export function toShownSteps(
  steps: readonly FirstStepState[],
  grants: Grants,
  facts: ProviderFacts,
): readonly ShownStep[] {
  const open = steps.filter(({ state }) => state === 'open')
  const isServiceOpen = open.some(({ step }) => step === 'service')
  const waits = ({ step }: FirstStepState) =>
    (step === 'service' && facts.request !== null) ||
    (step === 'software' && facts.softwareMax === 0) ||
    (step === 'network' && isServiceOpen)
  const next = open.find((step) => !waits(step)) ?? open[0]
  return steps.map((state) => {
    const { step } = state
    const isOffered = state.state === 'open' && isAllowed(TEXT[step].access, grants)
    const isEarly = step === 'network' && isServiceOpen
    return {
      ...state,
      title: FIRST_STEP_TITLE[step],
      hint:
        step === 'service' && state.state === 'open' && facts.request ? requestHint(facts.request) : TEXT[step].hint,
      blocked: isOffered && isEarly ? '先开通服务' : NO_RIGHT,
      action: isOffered && !isEarly ? toAction(step, facts) : null,
      isNext: state === next,
    }
  })
}

/** Steps shown once devices are in use: only those that the person can do. */
export const toRemainingSteps = (...shown: Parameters<typeof toShownSteps>): readonly ShownStep[] =>
  toShownSteps(...shown).filter(({ action }) => action !== null)
