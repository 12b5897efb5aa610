import { type Violation, violation } from '#contract/kernel/result.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

/** A configuration can be pushed to hardware that is in a network that works, or in none at all. */
export function checkResend(routerType: RouterType, networks: readonly { readonly status: 0 | 1 }[]): Violation | null {
  if (routerType !== ROUTER_TYPE.hardware) return violation('HARDWARE_ONLY')
  const works = networks.length === 0 || networks.some(({ status }) => status === NETWORK_STATUS.normal)
  return works ? null : violation('NETWORK_SUSPENDED')
}
