import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { Results, Statements } from '#db/batch.ts'
import { saveNetworkSetting, deletePointLinks, insertPointLinks } from '../sql/settings.ts'
import { selectVersionsFrom } from '../sql/versions.ts'
import { type Version, valuesAt, type RestorePlan, isEmptyPlan, planRestore } from '#domain/network/history/history.ts'
import { SETTING_TITLE, type ShownSetting } from '#domain/network/history/setting-words.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectNeighborhood, toNeighborhood, changeAddresses } from '../addresses/neighbors.ts'
import { claimCenterLinkPort, claimPorts, guardNeighbors } from '../sql/addresses.ts'
import { type SettingChange, saveSettings, type LoadedNetwork } from '../settings.ts'
import type { networkApi } from '#contract/network/index.ts'
import { type UsedPort, checkPort, type PortRows, portsOfLink, usedPorts } from '#domain/network/addresses/ports.ts'
import { segmentText } from '#domain/network/addresses/segments.ts'
import {
  checkWantedSegments,
  wantedNetworkSegments,
  wantedRange,
  checkPools,
  wantedCenterSegments,
  withAddresses,
} from '#domain/network/addresses/chosen-segments.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { checkName } from '#domain/network/members/membership.ts'
import { checkCenterLink } from '#domain/network/members/pair-links.ts'
import { featuresOfDefaultRoute, checkFeatures, checkDns, gainsAdvanced } from '#domain/network/routing/routing.ts'
import { selectPorts, toPortRows } from '../addresses/addresses.ts'

/* Restores the settings of a network to a version of its history. */

type Api = typeof networkApi

/** Sets the values that held right after a version, by the rules of each setting. Members stay. */
export async function restoreVersion(ctx: Ctx, input: Parsed<Api['restore']>): Promise<Output<Api['restore']>> {
  const { network_number: number, version, revision, pack } = input
  let skipped: readonly string[] = []
  let restored = 0
  const select = () => ({
    ...selectNeighborhood(ctx, number),
    ...selectPorts(ctx),
    versions: selectVersionsFrom(ctx.db, requireSession(ctx), number, version),
  })
  await saveSettings(
    ctx,
    number,
    (loaded, more) => {
      if (revision !== undefined && revision !== loaded.network.revision) refuse('NETWORK_CHANGED')
      const versions = more.versions.map((row): Version => ({ ...row, changes: JSON.parse(row.changes) }))
      if (!versions.some((one) => one.version === version)) refuse('VERSION_NOT_FOUND')
      const plan = planRestore(valuesAt(versions, version), toPresent(loaded))
      skipped = plan.skipped
      if (isEmptyPlan(plan))
        refuse(skipped.length > 0 ? 'VERSION_LOST' : 'VERSION_SAME', { reasons: skipped.join('；') })
      checkPlan(loaded, plan)
      restored = titlesOf(plan).length
      return {
        ...toChange(ctx, loaded, plan, more, pack === 1),
        audit: {
          action: 'restore',
          message: `组网“${loaded.network.name}”恢复到历史版本${version}`,
          after: { version, settings: titlesOf(plan), ...(skipped.length > 0 && { skipped }) },
        },
      }
    },
    select,
  )
  return { restored, skipped: [...skipped] }
}

const titlesOf = ({ columns, network, members, pointLinks }: RestorePlan): readonly string[] => {
  const kinds = [columns, network, members].flatMap((part) => Object.keys(part))
  const settings = [...kinds, ...(pointLinks === null ? [] : ['point_links'])]
  return settings.map((setting) => SETTING_TITLE[(setting === 'mode' ? 'fr' : setting) as ShownSetting])
}

const toPresent = ({ network, members, areas, pointLinks, stored, storedOf }: LoadedNetwork) => {
  const { name, ciphers, mode, frId } = network
  const own: Readonly<Record<string, unknown>> = {
    ...stored.values,
    name,
    ciphers,
    fr: { mode, frId },
    point_links: pointLinks,
  }
  return {
    networkType: network.networkType,
    frId,
    members,
    areas,
    valueOf: (setting: ShownSetting, routerId: number | null) =>
      routerId === null ? own[setting] : storedOf(routerId).values[setting as 'quagga'],
  }
}

/** Checks each setting by itself: features of the account, quantities, state of the network. */
function checkPlan(
  { network, members, stored, account }: LoadedNetwork,
  { columns, network: next, members: ofMembers }: RestorePlan,
): void {
  if (columns.name !== undefined) throwIf(checkName(columns.name, { name: network.name, isPop: network.frId !== null }))
  if (next.dns) throwIf(checkDns(next.dns, stored.values.dns, account.dnsQuantity))
  if (next.prefix && gainsAdvanced(next.prefix, stored.values.prefix))
    throwIf(checkFeatures(account.features, ['quaggaAdvanced']))
  for (const { value } of ofMembers.default_route ?? [])
    throwIf(checkFeatures(account.features, featuresOfDefaultRoute(value)))
  if (ofMembers.quagga?.some(({ value }) => value.enable === 1)) throwIf(checkFeatures(account.features, ['quagga']))
  if (next.center_link)
    throwIf(checkCenterLink(network.networkType, members, stored.values.center_link, next.center_link))
}

type More = Results<ReturnType<typeof selectNeighborhood> & ReturnType<typeof selectPorts>>

function toChange(ctx: Ctx, loaded: LoadedNetwork, plan: RestorePlan, more: More, isPacked: boolean) {
  const { network } = loaded
  const neighborhood = toNeighborhood(ctx, network.number, more)
  const addresses = restoreAddresses(ctx, loaded, plan, neighborhood, isPacked)
  throwIf(checkRestoredPorts(loaded, plan, toPortRows(ctx, loaded, more)))
  return {
    columns: plan.columns as NonNullable<SettingChange['columns']>,
    network: plan.network,
    members: { ...plan.members, ...addresses.members },
    ...(plan.pointLinks && { pointLinks: plan.pointLinks }),
    ...(addresses.hosts && { hosts: addresses.hosts }),
    statements: {
      beside: guardNeighbors(ctx.db, network, neighborhood.members, neighborhood.beside),
      ...claimStatements(ctx, loaded, plan),
      ...linkStatements(ctx, loaded, plan),
    },
  }
}

/** Deletes all old claims before the new ones, which may swap ports. */
function claimStatements(ctx: Ctx, { network, stored }: LoadedNetwork, plan: RestorePlan): Statements {
  const link: NetworkSettings['center_link'] | undefined = plan.network.center_link
  const claims = [
    ...(plan.members.fixed_port ?? []).map(({ routerId, value }) => claimPorts(ctx.db, network, routerId, value)),
    ...(link ? [claimCenterLinkPort(ctx.db, network, [stored.values.center_link.server, link.server], link)] : []),
  ]
  const named = (key: string) => claims.map((claim, i) => [`${key}_${i}`, claim[key]] as const)
  return Object.fromEntries([...named('unclaimed'), ...named('claimed')])
}

function linkStatements({ db, now }: Ctx, { network, pointLinks }: LoadedNetwork, plan: RestorePlan): Statements {
  if (plan.pointLinks === null) return {}
  const ends = pointLinks.flatMap(({ serverId, clientId }) => [serverId, clientId])
  return {
    goneLinks: deletePointLinks(db, network, [...new Set(ends)]),
    links: insertPointLinks(db, network, plan.pointLinks),
    counted: saveNetworkSetting(db, network, 'point_link', {}, now),
  }
}

/** Restored segments, checked like those that a person chooses. */
function restoreAddresses(
  ctx: Ctx,
  loaded: LoadedNetwork,
  { network: next, members, pointLinks }: RestorePlan,
  neighborhood: ReturnType<typeof toNeighborhood>,
  isPacked: boolean,
): Pick<SettingChange, 'members' | 'hosts'> {
  const { ip_pool, center_link } = loaded.stored.values
  const target = { ip_pool: next.ip_pool ?? ip_pool, center_link: next.center_link ?? center_link }
  const findValue = <V>(rows: readonly { readonly routerId: number; readonly value: V }[] | undefined, id: number) =>
    rows?.find(({ routerId }) => routerId === id)?.value
  const centers = neighborhood.members.filter(({ memberType }) => memberType === 'center')
  const changed = centers.flatMap((before) => {
    const [gateway, pool] = [findValue(members.gateway, before.routerId), findValue(members.pool, before.routerId)]
    return gateway || pool
      ? [{ before, after: withAddresses(before, { ...(gateway && { gateway }), ...(pool && { pool }) }) }]
      : []
  })
  const kept = centers.filter((center) => !changed.some(({ before }) => before === center))
  for (const { after } of changed) throwIf(checkPools(after, (service) => `${after.routerName}.${service}`))
  const beside = neighborhood.segmentsBut(
    () => true,
    ({ memberType }) => memberType === 'center',
  )
  throwIf(checkWantedSegments(wantedRange({ ip_pool, center_link }, target), beside))
  const ofCenters = [...changed, ...kept.map((center) => ({ before: center, after: center }))].flatMap(
    ({ before, after }) =>
      wantedCenterSegments(before, after, labelOf(before), (service) => `${before.routerName}.${service}`),
  )
  const ofNetwork = wantedNetworkSegments({ ip_pool, center_link }, target, neighborhood.nodeIndexes)
  const ofLinks = wantedPointLinks(loaded, pointLinks)
  throwIf(checkWantedSegments([...ofCenters, ...ofNetwork, ...ofLinks], beside, segmentText(target.ip_pool)))
  if (changed.length === 0) return {}
  const centersAfter = changed.map(({ after }) => after)
  const { members: values, hosts } = changeAddresses(ctx, loaded, neighborhood, centersAfter, {
    isPacked,
    field: 'version',
    ipPool: target.ip_pool,
  })
  return { ...(values && { members: values }), ...(hosts && { hosts }) }
}

const wantedPointLinks = ({ pointLinks: stored }: LoadedNetwork, restored: RestorePlan['pointLinks']) =>
  (restored ?? stored).map((link, row) => ({
    label: '点对点互联',
    segment: segmentText(link),
    field: `link_config.${row}.gateway`,
    isChanged: !stored.some((old) => segmentText(old) === segmentText(link)),
  }))

/** Checks restored ports. Unchanged ones are not checked. */
function checkRestoredPorts(
  { network: { number, name } }: LoadedNetwork,
  { network: next, members, pointLinks }: RestorePlan,
  rows: PortRows,
): Violation | null {
  const fixed = new Map(members.fixed_port?.map(({ routerId, value }) => [routerId, JSON.stringify(value)]))
  const link = next.center_link && JSON.stringify(next.center_link)
  const isOwn = ({ networkNumber }: { readonly networkNumber: string }) => networkNumber === number
  const own = { networkNumber: number, networkName: name, isHidden: false }
  const after = usedPorts({
    ...rows,
    centers: rows.centers.map((one) =>
      isOwn(one) ? { ...one, fixedPort: fixed.get(one.routerId) ?? one.fixedPort } : one,
    ),
    centerLinks: [
      ...rows.centerLinks.filter((one) => !isOwn(one) || !link),
      ...(link ? [{ ...own, value: link }] : []),
    ],
    pointLinks: [
      ...rows.pointLinks.filter((one) => !isOwn(one) || pointLinks === null),
      ...(pointLinks ?? []).flatMap((restored) => portsOfLink(restored).map((end) => ({ ...own, ...end }))),
    ],
  })
  const known = new Set(usedPorts(rows).map(keyOf))
  for (const one of after.filter((port) => !known.has(keyOf(port)))) {
    const others = after.filter((other) => other !== one)
    const found = checkPort(one, others, 'version')
    if (found) return found
  }
  return null
}

const keyOf = ({ routerId, port, publicIp, publicPort }: UsedPort): string =>
  `${routerId} ${port} ${publicIp} ${publicPort}`
