import type { Input } from '../../../worker/contract/endpoint.ts'
import { ROUTER_TYPE, type RouterType } from '../../../worker/contract/limits.ts'
import type { routerApi } from '../../../worker/contract/router.ts'

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

/** An unknown value in the address means no filter. */
export function toMemberState(text: string, type: RouterType): MemberState {
  return STATE_OPTIONS[type].find(({ value }) => value === text)?.value ?? ''
}

export function toRouterType(text: string | null): RouterType {
  return text === String(ROUTER_TYPE.software) ? ROUTER_TYPE.software : ROUTER_TYPE.hardware
}
