import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { bumpRevisions, detectConflict, guardRouterNetworks, retryOnConflict } from '#db/conflict.ts'
import { idList } from '#db/columns.ts'
import { endDialsAtMembers } from './sql/dials.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { deleteRemoval, insertRemovals } from '#features/device/sql.ts'
import { selectSettingsOfRouters, selectLinksOfRouters } from '#features/network/sql/settings.ts'
import { revokeCertificates } from '#features/network/sql/revocations.ts'
import { insertVersions } from '#features/network/sql/versions.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import { selectNetworksByRouter, selectMembersOfNetworksWith, selectRouterRows, updateRouter } from './sql/routers.ts'
import { affectedByRename } from '#domain/network/members/affected.ts'
import { toReplacedDiff } from '#domain/network/history/history.ts'
import { readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { type Claim, deleteWrongCodes, guardClaim } from './sql/add.ts'
import { guardRouterHub, deleteStates, guardNoNodes } from './sql/manage.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { requireClaim, selectClaim, toClaim } from './add.ts'

/* Replacement of a member's device by another one (更换设备). */

type Call = (typeof routerApi)['replace']

/**
 * Keeps the member's row with networks, addresses, settings, static routes and point links. It gets the new device, its
 * serial as name, and a new hub; the old hub removes the configuration from the old device, which is free again.
 */
export async function replaceRouter(ctx: Ctx, input: Parsed<Call>): Promise<Output<Call>> {
  const claim = await toClaim(ctx, input.username, input.code)
  let replaced = ''
  await retryOnConflict(async () => {
    const found = await readTarget(ctx, input.router_name, claim)
    replaced = found.device.serial
    const claimed = violation('DEVICE_CLAIMED')
    const write = mapUniqueViolation(writeDevice(ctx, found, claim), {
      'routers.device_id': claimed,
      'routers.name': claimed,
    })
    await detectConflict(write)
  })
  return { router_name: replaced }
}

type LoadedRouter = Awaited<ReturnType<typeof readTarget>>

async function readTarget(ctx: Ctx, name: string, claim: Claim) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const rows = await batch(db, {
    ...selectClaim(ctx, claim),
    routers: selectRouterRows(db, scope, name),
    networks: selectNetworksByRouter(db, scope, name),
    peers: selectMembersOfNetworksWith(db, scope, name),
    settings: selectSettingsOfRouters(db, scope.accountId, [name]),
    links: selectLinksOfRouters(db, scope.accountId, [name]),
  })
  const router = rows.routers[0] ?? refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  if (router.isNode === 1) refuse('POP_NODE_KEPT', { name: router.name })
  if (!rows.networks.every(({ number }) => coversNetwork(scope.grants, number))) refuse('ROUTER_SHARED')
  const { device, account } = requireClaim(ctx, rows)
  if (device.serial === router.name) refuse('DEVICE_SAME')
  return { ...rows, router, device, account }
}

function writeDevice(ctx: Ctx, found: LoadedRouter, claim: Claim) {
  const { db } = ctx
  const { router, networks, device, account } = found
  const { id, accountId, name, note } = router
  const hub = newHubName(placeOf(account.hub))
  const networkIds = networks.map((network) => network.id)
  return batch(db, {
    claim: guardClaim(db, claim),
    still: guardRouterHub(db, router),
    noNode: guardNoNodes(db, [id]),
    revisions: guardRouterNetworks(db, accountId, [id], networks, networks.length),
    bumped: bumpRevisions(db, accountId, networkIds),
    ...endDialsAtMembers(ctx, accountId, [id]),
    ...revokeCertificates(ctx, accountId, [id]),
    state: deleteStates(db, accountId, [id]),
    ...insertVersions(
      ctx,
      accountId,
      networks.map(({ number }) => ({ number, changes: [toReplacedDiff(name, device.serial)] })),
    ),
    removed: insertRemovals(db, accountId, [id], ctx.now),
    returned: deleteRemoval(db, device.serial),
    router: updateRouter(db, router, { name: device.serial, deviceId: device.id, hub }),
    wrong: deleteWrongCodes(db, claim),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'replace',
      target: device.serial,
      message: `更换成员“${labelOf({ routerName: name, note })}”的设备：${name} → ${device.serial}`,
      before: { router_name: name },
      after: { router_name: device.serial, networks: networks.map(({ number }) => number) },
    }),
    carriers: refreshCarriers(ctx, idList(networkIds)),
    hubs: notifyHubs(ctx, [
      { kind: 'router', hub: router.hub, op: 'remove' },
      ...refreshTasks('router', [hub, ...affectedHubs(found)]),
      ...refreshTasks('network', networks),
    ]),
  })
}

/** Hubs of routers whose documents contain this one. */
function affectedHubs({ router, networks, peers, settings, links }: LoadedRouter): readonly string[] {
  const affected = networks.flatMap(({ id }) => {
    const isHere = ({ networkId }: { readonly networkId: number }) => networkId === id
    const { center_link: centerLink } = readNetworkSettings(settings.filter(isHere)).values
    return affectedByRename(peers.filter(isHere), router.id, { centerLink, pointLinks: links.filter(isHere) })
  })
  return [...new Set(affected.map(({ hub }) => hub))]
}
