import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import { type UsedPort, checkPort, defaultPort, nextFreePort, usedPorts } from '#domain/network/addresses/ports.ts'
import { segmentText, nextFreeSegment } from '#domain/network/addresses/segments.ts'
import { SETTING_TITLE } from '#domain/network/history/setting-words.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { checkWantedSegments } from '#domain/network/addresses/wanted-segments.ts'
import type { Ctx } from '#http/context.ts'
import { segmentsBeside, selectAround, toAround, FIRST_INTERLINK, atRoot } from '../addresses/neighbors.ts'
import { type LoadedNetwork, loadSettings } from '../load-settings.ts'
import { selectPorts, toPortRows } from '../addresses/ports.ts'
import { requireCenter } from '../require.ts'
import { claimCenterLinkPort, guardNeighbors } from '../sql/addresses.ts'
import { saveSettings } from '../save-setting.ts'
import type { networkApi } from '#contract/network/index.ts'
import { checkCenterLink, isTurnedOff } from '#domain/network/members/pair-links.ts'

type Api = typeof networkApi
type CenterLink = NetworkSettings['center_link']
const NAME = SETTING_TITLE.center_link

const selectBeside = (ctx: Ctx, number: string) => ({ ...selectAround(ctx, number), ...selectPorts(ctx) })

export const setCenterLink = (ctx: Ctx, input: Parsed<Api['centerLink']>): Promise<void> =>
  writeCenterLink(ctx, input, 'center_link', ({ members }) => {
    const { enable, gateway, mask, public_ip, public_port, static_port } = input
    const { routerId: server } = requireCenter(members, input.center_router_name, 'center_router_name')
    return { enable, server, gateway, mask, ports: { public_ip, public_port, static_port } }
  })

export const enableCenterLink = (ctx: Ctx, input: Parsed<Api['enableCenterLink']>): Promise<void> =>
  writeCenterLink(ctx, input, 'enable_center_link', (_, old) => ({ ...old, enable: input.enable }))

export const editCenterLinkGateway = (ctx: Ctx, input: Parsed<Api['editCenterLinkGateway']>): Promise<void> =>
  writeCenterLink(ctx, input, 'edit_center_link_gateway', (_, old) => ({
    ...old,
    gateway: input.gateway,
    mask: input.mask,
  }))

interface Write {
  readonly network_number: string
  readonly revision?: number | undefined
}

/** Both centres get it. A link that is off claims neither segment nor port. */
const writeCenterLink = (
  ctx: Ctx,
  { network_number: number, revision }: Write,
  action: string,
  toNext: (loaded: LoadedNetwork, old: CenterLink) => CenterLink,
): Promise<void> =>
  saveSettings(
    ctx,
    number,
    (loaded, more) => {
      const { network, members, stored } = loaded
      const old = stored.values.center_link
      throwIf(checkRevision(revision, stored.revisions.center_link))
      const next = toNext(loaded, old)
      throwIf(checkCenterLink(network.networkType, members, old, next))
      const around = toAround(ctx, number, more)
      if (next.enable === 1) {
        const isChanged = old.enable === 0 || old.gateway !== next.gateway || old.mask !== next.mask
        const segment = segmentText(next)
        const beside = segmentsBeside(
          around.members,
          () => false,
          around.neighborsBut((kind) => kind === 'center_link'),
        )
        const wanted = next.gateway === '' ? [] : [{ label: NAME, segment, field: 'gateway', isChanged }]
        throwIf(checkWantedSegments(wanted, beside))
        throwIf(atRoot(checkPort(toUsedPort(loaded, next), listPortsBeside(ctx, number, loaded, more), '')))
      }
      const isOff = isTurnedOff(old, next)
      return {
        network: { center_link: next },
        isAllowedSuspended: isOff,
        statements: {
          beside: next.enable === 1 && guardNeighbors(ctx.db, network, around.members, around.beside),
          ...claimCenterLinkPort(ctx.db, network, [old.server, next.server], next),
        },
        audit: {
          action,
          message: `组网“${network.name}”${isOff ? '关闭' : '设置'}${NAME}`,
          before: toWire(loaded, old),
          after: toWire(loaded, next),
        },
      }
    },
    () => selectBeside(ctx, number),
  )

type Beside = Parameters<typeof toPortRows>[2]

/** Ports in use, without those of this link. */
function listPortsBeside(ctx: Ctx, number: string, loaded: LoadedNetwork, more: Beside): readonly UsedPort[] {
  const rows = toPortRows(ctx, loaded, more)
  return usedPorts({ ...rows, centerLinks: rows.centerLinks.filter((link) => link.networkNumber !== number) })
}

function toUsedPort({ network, members }: LoadedNetwork, { server, ports }: CenterLink): UsedPort {
  const center = members.find(({ routerId }) => routerId === server) ?? refuse('MEMBER_NOT_IN_NETWORK')
  return {
    routerId: center.routerId,
    port: ports.static_port ?? defaultPort(center.segmentIndex ?? 0, 'center_link'),
    publicIp: ports.public_ip,
    publicPort: ports.public_port,
    owner: `组网“${network.name}”的${NAME}`,
    isHidden: false,
  }
}

const findName = ({ members }: LoadedNetwork, server: number | null): string =>
  members.find(({ routerId }) => routerId === server)?.routerName ?? ''

const toWire = (loaded: LoadedNetwork, { server, ports, ...link }: CenterLink) => ({
  ...link,
  center_router_name: findName(loaded, server),
  ...ports,
})

export async function readCenterLink(
  ctx: Ctx,
  { network_number: number }: Parsed<Api['centerLinkNetwork']>,
): Promise<Output<Api['centerLinkNetwork']>> {
  const { more, ...loaded } = await loadSettings(ctx, number, selectBeside(ctx, number))
  const { values, revisions } = loaded.stored
  const around = toAround(ctx, number, more)
  const taken = segmentsBeside(
    around.members,
    () => false,
    around.neighborsBut((kind) => kind === 'center_link'),
  )
  const center = loaded.members.find(({ memberType }) => memberType === 'center')
  const used = listPortsBeside(ctx, number, loaded, more).filter(({ routerId }) => routerId === center?.routerId)
  const { public_ip, ...ports } = values.center_link.ports
  const free = nextFreeSegment(
    FIRST_INTERLINK,
    taken.map(({ segment }) => segment),
  )
  return {
    network_number: number,
    gateway: values.center_link.gateway,
    mask: values.center_link.mask,
    enable: values.center_link.enable,
    center_router_name: findName(loaded, values.center_link.server),
    public_ip: public_ip ?? '',
    ...ports,
    free_gateway: free?.split('/')[0] ?? '',
    free_port: center ? nextFreePort(defaultPort(center.segmentIndex ?? 0, 'center_link'), used) : null,
    revision: revisions.center_link,
  }
}
