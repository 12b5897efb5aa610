import type { Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import type { Results } from '#db/batch.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { Session } from '#contract/kernel/session.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { requireCenter } from '../require.ts'
import {
  claimPorts,
  selectCenterLinkPorts,
  selectCenterPorts,
  selectPointLinkPorts,
  guardNeighbors,
  selectNeighbors,
  toRevisions,
} from '../sql/addresses.ts'
import { saveSettings, type LoadedNetwork } from '../settings.ts'
import type { networkApi } from '#contract/network/index.ts'
import { type CenterPorts, type PortRows, checkFixedPorts } from '#domain/network/addresses/ports.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

type Api = typeof networkApi

export const selectPorts = (ctx: Ctx) => ({
  centerPorts: selectCenterPorts(ctx.db, requireAccountId(ctx)),
  centerLinkPorts: selectCenterLinkPorts(ctx.db, requireAccountId(ctx)),
  pointLinkPorts: selectPointLinkPorts(ctx.db, requireAccountId(ctx)),
})

/** Ports of a centre's two services; one that is left out keeps its own. Without any both are dialled where the device is seen, on ports of our choice. */
export const editFixedPorts = (ctx: Ctx, input: Parsed<Api['fixedPort']>): Promise<void> =>
  saveSettings(
    ctx,
    input.network_number,
    (loaded, more) => {
      const { network, members, storedOf } = loaded
      const { routerId, routerName, note, segmentIndex } = requireCenter(members, input.router_name)
      const { values, revisions } = storedOf(routerId)
      throwIf(checkRevision(input.revision, revisions.fixed_port))
      const { fixed_port: before } = values
      const { router_service = before.router_service, software_service = before.software_service } = input
      const wanted = { router_service, software_service }
      const self: CenterPorts = {
        routerId,
        routerName,
        note,
        segmentIndex: segmentIndex ?? 0,
        networkNumber: network.number,
        networkName: network.name,
        isHidden: false,
        fixedPort: null,
      }
      throwIf(checkFixedPorts(self, wanted, toPortRows(ctx, loaded, more)))
      const isOff = [router_service, software_service].every((one) => Object.values(one).every((v) => v === null))
      return {
        members: { fixed_port: [{ routerId, value: wanted }] },
        isAllowedSuspended: isOff,
        statements: {
          beside: guardNeighbors(ctx.db, network, [{ routerId }], toRevisions(more.nearby)),
          ...claimPorts(ctx.db, network, routerId, wanted),
        },
        audit: {
          action: 'fixed_port',
          message: `组网“${network.name}”${isOff ? '清除' : '设置'}中心点“${labelOf({ routerName, note })}”的固定端口`,
          before: { router_name: routerName, ...before },
          after: { router_name: routerName, ...wanted },
        },
      }
    },
    () => ({ ...selectPorts(ctx), nearby: selectNeighbors(ctx.db, requireSession(ctx), input.network_number) }),
  )

/** Everything in the account that a port of this network may meet. */
export function toPortRows(
  ctx: Ctx,
  { members }: Pick<LoadedNetwork, 'members'>,
  { centerPorts, centerLinkPorts, pointLinkPorts }: Results<ReturnType<typeof selectPorts>>,
): PortRows {
  const hidden = hideIn(requireSession(ctx))
  return {
    centers: centerPorts.map((row) => ({ ...row, segmentIndex: row.segmentIndex ?? 0, ...hidden(row) })),
    centerLinks: centerLinkPorts.map((row) => ({ ...row, ...hidden(row) })),
    pointLinks: pointLinkPorts.map((row) => ({ ...row, ...hidden(row) })),
    probes: members.flatMap(({ routerId, probePort: port }) => (port ? [{ routerId, port }] : [])),
  }
}

/** Marks a row as hidden if the caller's role does not cover its network. */
const hideIn =
  ({ grants }: Session) =>
  ({ networkNumber }: { readonly networkNumber: string }) => ({ isHidden: !coversNetwork(grants, networkNumber) })
