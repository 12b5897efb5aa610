import type { Overview } from '../../../worker/contract/overview.ts'
import { type Access, type Grants, isAllowed } from '../../../worker/contract/permissions.ts'
import { MEMBER_STATES, type StateCount, hasCome, sumStates } from '../../../worker/domain/health/member.ts'
import { paths } from '../../lib/paths.ts'

export interface FirstStep {
  readonly title: string
  readonly hint: string
  readonly isDone: boolean
  /** Of the first step that is not done: what leads to it, or null where the role may not do it. */
  readonly action?: { readonly label: string; readonly to: string } | null
}

type Facts = Pick<Overview, 'members' | 'seats' | 'networks' | 'alerts'>

interface Step {
  readonly title: string
  readonly hint: string
  readonly isDone: (facts: Facts) => boolean
  readonly access: Access
  readonly label: string
  readonly to: string
}

const cameOnce = (count: StateCount): boolean => MEMBER_STATES.some((state) => hasCome(state) && count[state] > 0)

const STEPS: readonly Step[] = [
  {
    title: '开通服务',
    hint: '席位决定组网里能有多少成员，由服务商开通',
    isDone: ({ seats }) => seats.total > 0,
    access: 'session',
    label: '联系服务商',
    to: paths.createTicket,
  },
  {
    title: '认领硬件',
    hint: '输入机身标签上的序列号与激活码；软件成员在同一页添加',
    isDone: ({ members }) => sumStates(members.hardware) + sumStates(members.software) > 0,
    access: 'router:create',
    label: '添加成员',
    to: paths.routers(),
  },
  {
    title: '建组网',
    hint: '选择中心点与普通点，连成一张私有网络',
    isDone: ({ networks }) => networks.length > 0,
    access: 'network:create',
    label: '创建组网',
    to: paths.createNetwork,
  },
  {
    title: '看到在线',
    hint: '设备接通电源和网络后自行上线',
    isDone: ({ members }) => cameOnce(members.hardware) || cameOnce(members.software),
    access: 'session',
    label: '查看成员',
    to: paths.routers({ state: 'never' }),
  },
]
const ALERTS = { title: '开启告警', hint: '在“监控告警”中启动，成员离线时发送通知' } as const

/** The way of a new customer to the first network that runs; null once it is gone. */
export function toFirstSteps(facts: Facts, grants: Grants): readonly FirstStep[] | null {
  const [, ...own] = STEPS
  // A service that has ended brings nobody back to the beginning.
  if (own.every(({ isDone }) => isDone(facts))) return null
  const next = STEPS.find(({ isDone }) => !isDone(facts))
  const steps = STEPS.map((step): FirstStep => {
    const { title, hint, access, label, to } = step
    const action = isAllowed(access, grants) ? { label, to } : null
    return { title, hint, isDone: step.isDone(facts), ...(step === next && { action }) }
  })
  return [...steps, { ...ALERTS, isDone: facts.alerts === 1 }]
}

/** Without a member every number of the page would be zero. */
export const hasMembers = ({ members }: Pick<Facts, 'members'>): boolean =>
  sumStates(members.hardware) + sumStates(members.software) > 0
