import type { Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import type { AddressedMember } from '#domain/network/addresses/addresses.ts'
import { SERVICES, wantedCenterSegments, withAddresses } from '#domain/network/addresses/center-segments.ts'
import { segmentText } from '#domain/network/addresses/segments.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { checkWantedSegments } from '#domain/network/addresses/wanted-segments.ts'
import type { Ctx } from '#http/context.ts'
import { changeAddresses, segmentsBeside, selectAround, toAround } from './neighbors.ts'
import { saveSettings } from '../save-setting.ts'
import type { networkApi } from '#contract/network/index.ts'
import { servedSegments } from '#domain/network/addresses/member-segments.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

type Api = typeof networkApi

const FIELD = { router: 'router_network', software: 'software_network' } as const

/** The segments of one centre, its `gateway` on the wire; an absent one stays. */
export const editCenterGateway = (ctx: Ctx, input: Parsed<Api['editCenterGateway']>): Promise<void> =>
  saveSettings(
    ctx,
    input.network_number,
    (loaded, more) => {
      const { network, storedOf, stored } = loaded
      const around = toAround(ctx, network.number, more)
      const center = around.requireCenter(input.router_name)
      throwIf(checkRevision(input.revision, storedOf(center.routerId).revisions.gateway))
      const { router_network: router, software_network: software } = input
      const next = withAddresses(center, {
        gateway: { ...(router !== undefined && { router }), ...(software !== undefined && { software }) },
      })
      throwIf(
        checkWantedSegments(
          wantedCenterSegments(center, next, labelOf(center), (service) => FIELD[service]),
          segmentsBeside(
            around.members,
            (m) => m === center,
            around.neighborsBut(() => false),
          ),
          segmentText(stored.values.ip_pool),
        ),
      )
      const [old, served] = [servedSegments(center), servedSegments(next)]
      const changed = SERVICES.find((service) => old[service] !== served[service])
      const field = `${FIELD[changed ?? 'router']}.mask`
      return {
        ...changeAddresses(ctx, loaded, around, [next], {
          isPacked: input.pack === 1,
          field,
          ipPool: stored.values.ip_pool,
        }),
        audit: {
          action: 'edit_center_gateway',
          message: `组网“${network.name}”修改中心点“${labelOf(center)}”的网段`,
          before: toWire(center),
          after: toWire(next),
        },
      }
    },
    () => selectAround(ctx, input.network_number),
  )

function toWire(center: AddressedMember) {
  const { router, software } = servedSegments(center)
  return { router_name: center.routerName, router_network: router, software_network: software }
}
