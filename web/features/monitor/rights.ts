import { isAllowed } from '#contract/kernel/permissions.ts'
import { useGrants } from '#lib/session/session.ts'

export interface MonitorRights {
  readonly start: boolean
  readonly edit: boolean
  readonly close: boolean
  /** Whether the role is not limited to networks, so that settings of the whole account may be changed. */
  readonly whole: boolean
  /** Whether the directory may be opened, which is the main account's. */
  readonly directory: boolean
}

export function useMonitorRights(): MonitorRights {
  const grants = useGrants()
  const whole = grants.networks === null
  return {
    start: whole && isAllowed('monitor:create', grants),
    edit: isAllowed('monitor:edit', grants),
    close: whole && isAllowed('monitor:delete', grants),
    whole,
    directory: isAllowed('main', grants),
  }
}
