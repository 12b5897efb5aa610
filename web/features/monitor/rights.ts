import { isAllowed } from '#contract/kernel/permissions.ts'
import { useGrants } from '#lib/session/session.ts'

/* Rights of a user on monitoring. */

export interface MonitorRights {
  readonly start: boolean
  readonly edit: boolean
  readonly close: boolean
  /** The role is not limited to networks, so it may change settings of the whole account. */
  readonly whole: boolean
  /** The user may open the directory, which belongs to the main account. */
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
