import { FIRST_STEP_TITLE, type FirstStep, type FirstStepState } from '#contract/overview/index.ts'
import { type Access, type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { paths } from '#lib/paths.ts'

/* First steps of a new account: texts, links, and the steps that a role is shown. */

const TEXT = {
  service: {
    hint: '席位决定组网里能有多少成员，由服务商开通',
    access: 'session',
    label: '联系服务商',
    to: paths.createTicket,
  },
  hardware: {
    hint: '输入机身标签上的序列号与激活码',
    access: 'router:create',
    label: '认领硬件',
    to: paths.routers(),
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
  /** Link that leads to an open step; null if the role may not do it. */
  readonly action: { readonly label: string; readonly to: string } | null
  /** The step is the first open one, and its action is the primary button. */
  readonly isNext: boolean
}

export function toShownSteps(steps: readonly FirstStepState[], grants: Grants): readonly ShownStep[] {
  const next = steps.find(({ state }) => state === 'open')
  return steps.map((step) => {
    const { hint, access, label, to } = TEXT[step.step]
    const action = step.state === 'open' && isAllowed(access, grants) ? { label, to } : null
    return { ...step, title: FIRST_STEP_TITLE[step.step], hint, action, isNext: step === next }
  })
}

/** Steps shown once devices are in use: only those that the person can do. */
export const toRemainingSteps = (steps: readonly FirstStepState[], grants: Grants): readonly ShownStep[] =>
  toShownSteps(steps, grants).filter(({ action }) => action !== null)
