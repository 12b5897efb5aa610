import { type Grants, coversNetwork } from '../../worker/contract/permissions.ts'
import type { ConfigView, PresenceView } from '../../worker/contract/protocol.ts'

export interface RouterChange {
  readonly routerName: string
  readonly networkNumbers: readonly string[]
  readonly presence: PresenceView
  readonly config: ConfigView
}

/** Filters changes by a viewer's grants. The frame is sent even when empty, so that `seq` has no gap. */
export function routersFor(grants: Grants, changes: readonly RouterChange[]) {
  return changes
    .filter(
      ({ networkNumbers }) =>
        grants.networks === null || networkNumbers.some((number) => coversNetwork(grants, number)),
    )
    .map(({ routerName, presence, config }) => ({ router_name: routerName, presence, config }))
}
