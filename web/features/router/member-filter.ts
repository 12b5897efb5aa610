import type { Input, Output } from '../../../worker/contract/endpoint.ts'
import { ROUTER_TYPE, type RouterType } from '../../../worker/contract/limits.ts'
import type { routerApi } from '../../../worker/contract/router.ts'
import { isPresent, needsAttention } from '../../../worker/domain/router/presence.ts'
import type { MemberStates } from './member-states.ts'

export type MemberState = NonNullable<Input<typeof routerApi.lists>['state']>

interface StateOption {
  readonly value: MemberState
  readonly label: string
}

const BY_PRESENCE: readonly StateOption[] = [
  { value: '', label: '全部' },
  { value: 'online', label: '在线' },
  { value: 'offline', label: '离线' },
]

/** 需关注 is about flapping and configuration, which only hardware has. */
export const STATE_OPTIONS: Readonly<Record<RouterType, readonly StateOption[]>> = {
  [ROUTER_TYPE.hardware]: [...BY_PRESENCE, { value: 'attention', label: '需关注' }],
  [ROUTER_TYPE.software]: BY_PRESENCE,
}

/** How many rows each choice shows, as far as `router/quantity` says; nothing of a search. */
export function stateCounts(
  quantity: Output<typeof routerApi.quantity> | undefined,
  type: RouterType,
): Readonly<Partial<Record<MemberState, number>>> {
  if (quantity === undefined) return {}
  const { hardware, hardware_online, software, software_online } = quantity
  const [all, online] = type === ROUTER_TYPE.hardware ? [hardware, hardware_online] : [software, software_online]
  return { '': all, online, offline: all - online }
}

/** Whether a row still belongs under a filter after its states have changed. */
export function isInState({ presence, config }: MemberStates, state: MemberState): boolean {
  switch (state) {
    case '':
      return true
    case 'online':
      return isPresent(presence.state)
    case 'offline':
      return !isPresent(presence.state)
    case 'attention':
      return needsAttention(presence.state, config.state)
  }
}

/** An unknown value in the address means no filter. */
export function toMemberState(text: string, type: RouterType): MemberState {
  return STATE_OPTIONS[type].find(({ value }) => value === text)?.value ?? ''
}

export function toRouterType(text: string | null): RouterType {
  return text === String(ROUTER_TYPE.software) ? ROUTER_TYPE.software : ROUTER_TYPE.hardware
}
