import { throwIf } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import { checkPools, wantedCenterSegments, withAddresses } from '#domain/network/addresses/center-segments.ts'
import { type UsedPort, checkPort, type PortRows, usedPorts } from '#domain/network/addresses/ports.ts'
import type { RestorePlan } from '#domain/network/history/restore.ts'
import { segmentText } from '#domain/network/addresses/segments.ts'
import {
  type WantedSegment,
  checkWantedSegments,
  wantedNetworkSegments,
  wantedRange,
} from '#domain/network/addresses/wanted-segments.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import type { Ctx } from '#http/context.ts'
import { changeAddresses, segmentsBeside, type toAround } from '../addresses/neighbors.ts'
import type { LoadedNetwork } from '../load-settings.ts'
import type { SettingChange } from '../save-setting.ts'

/** Segments as they shall be, checked like those that a person chooses. */
export function restoreAddresses(
  ctx: Ctx,
  loaded: LoadedNetwork,
  { network: next, members, pointLinks }: RestorePlan,
  around: ReturnType<typeof toAround>,
  isPacked: boolean,
): Pick<SettingChange, 'members' | 'hosts'> {
  const { ip_pool, center_link } = loaded.stored.values
  const target = { ip_pool: next.ip_pool ?? ip_pool, center_link: next.center_link ?? center_link }
  const findValue = <V>(rows: readonly { readonly routerId: number; readonly value: V }[] | undefined, id: number) =>
    rows?.find(({ routerId }) => routerId === id)?.value
  const centers = around.members.filter(({ memberType }) => memberType === 'center')
  const changed = centers.flatMap((before) => {
    const [gateway, pool] = [findValue(members.gateway, before.routerId), findValue(members.pool, before.routerId)]
    return gateway || pool
      ? [{ before, after: withAddresses(before, { ...(gateway && { gateway }), ...(pool && { pool }) }) }]
      : []
  })
  const kept = centers.filter((center) => !changed.some(({ before }) => before === center))
  for (const { after } of changed) throwIf(checkPools(after, (service) => `${after.routerName}.${service}`))
  const beside = segmentsBeside(
    around.members,
    ({ memberType }) => memberType === 'center',
    around.neighborsBut(() => true),
  )
  throwIf(checkWantedSegments(wantedRange({ ip_pool, center_link }, target), beside))
  const ofCenters = [...changed, ...kept.map((center) => ({ before: center, after: center }))].flatMap(
    ({ before, after }) =>
      wantedCenterSegments(before, after, labelOf(before), (service) => `${before.routerName}.${service}`),
  )
  const ofNetwork = wantedNetworkSegments({ ip_pool, center_link }, target, around.nodeIndexes)
  const ofLinks = wantedPointLinks(loaded, pointLinks)
  throwIf(checkWantedSegments([...ofCenters, ...ofNetwork, ...ofLinks], beside, segmentText(target.ip_pool)))
  if (changed.length === 0) return {}
  const centersAfter = changed.map(({ after }) => after)
  const { members: values, hosts } = changeAddresses(ctx, loaded, around, centersAfter, {
    isPacked,
    field: 'version',
    ipPool: target.ip_pool,
  })
  return { ...(values && { members: values }), ...(hosts && { hosts }) }
}

const wantedPointLinks = (
  { pointLinks: stored }: LoadedNetwork,
  restored: RestorePlan['pointLinks'],
): readonly WantedSegment[] =>
  (restored ?? stored).map((link, row) => ({
    label: '点对点互联',
    segment: segmentText(link),
    field: `link_config.${row}.gateway`,
    isChanged: !stored.some((old) => segmentText(old) === segmentText(link)),
  }))

/** Ports as they shall be; those that stay are not checked. */
export function checkRestoredPorts(
  { network: { number, name } }: LoadedNetwork,
  { network: next, members, pointLinks }: RestorePlan,
  rows: PortRows,
): Violation | null {
  const fixed = new Map(members.fixed_port?.map(({ routerId, value }) => [routerId, JSON.stringify(value)]))
  const link = next.center_link && JSON.stringify(next.center_link)
  const isOwn = ({ networkNumber }: { readonly networkNumber: string }) => networkNumber === number
  const own = { networkNumber: number, networkName: name, isHidden: false }
  const before = usedPorts(rows)
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
      ...(pointLinks ?? []).map(({ serverId, port }) => ({ ...own, routerId: serverId, port })),
    ],
  })
  const known = new Set(before.map(keyOf))
  for (const one of after.filter((port) => !known.has(keyOf(port)))) {
    const others = after.filter((other) => other !== one)
    const found = checkPort(one, others, 'version')
    if (found) return found
  }
  return null
}

const keyOf = ({ routerId, port, publicIp, publicPort }: UsedPort): string =>
  `${routerId} ${port} ${publicIp} ${publicPort}`
