import { isAllowed } from '../../../worker/contract/permissions.ts'
import { useGrants } from '../../lib/session.ts'

export interface MonitorRights {
  readonly start: boolean
  readonly edit: boolean
  readonly close: boolean
  /** Not limited to networks: what concerns the whole account may be changed. */
  readonly whole: boolean
  /** The directory is the main account's. */
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
