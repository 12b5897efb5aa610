import { isAllowed } from '#contract/kernel/permissions.ts'
import { useGrants } from '#lib/session/session.ts'

/* Rights of a user on monitoring. */

export function useMonitorRights() {
  const grants = useGrants()
  const whole = grants.networks === null
  return {
    start: whole && isAllowed('monitor:create', grants),
    edit: isAllowed('monitor:edit', grants),
    close: whole && isAllowed('monitor:delete', grants),
    /** The role is not limited to networks, so it may change settings of the whole account. */
    whole,
    /** The user may open the directory, which belongs to the main account. */
    directory: isAllowed('main', grants),
  }
}
