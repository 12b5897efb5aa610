import { type Grants, coversNetwork } from '../../worker/contract/permissions.ts'
import type { ConfigView, PresenceView } from '../../worker/contract/protocol.ts'

export interface RouterChange {
  readonly routerName: string
  readonly networkNumbers: readonly string[]
  readonly presence: PresenceView
  readonly config: ConfigView
}

/** What of these changes a console may see. An empty frame is sent all the same, so that no gap appears in `seq`. */
export function routersFor(grants: Grants, changes: readonly RouterChange[]) {
  return changes
    .filter(
      ({ networkNumbers }) =>
        grants.networks === null || networkNumbers.some((number) => coversNetwork(grants, number)),
    )
    .map(({ routerName, presence, config }) => ({ router_name: routerName, presence, config }))
}
