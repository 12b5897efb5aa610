import type { NetworkSettings } from '#contract/network/settings.ts'
import { isSameJson } from '#contract/kernel/same-json.ts'
import { defaultNodeSegments } from '../pop/pool.ts'
import { segmentText } from './segments.ts'
import { SETTING_TITLE } from '../history/setting-words.ts'
import type { WantedSegment } from './wanted-segments.ts'

/** Address settings stored on the network. Centres have their own: center-segments.ts. */
export type AddressPlan = Pick<NetworkSettings, 'ip_pool' | 'center_link'>

/** The network's own segments may lie in its range, nobody else's. */
export const wantedRange = (before: AddressPlan, { ip_pool: pool }: AddressPlan): readonly WantedSegment[] =>
  pool.gateway === ''
    ? []
    : [
        {
          label: '组网地址范围',
          segment: segmentText(pool),
          field: 'gateway',
          isChanged: segmentText(pool) !== segmentText(before.ip_pool),
        },
      ]

/** Segments between members that the network holds, those of POP nodes included. */
export function wantedNetworkSegments(
  before: AddressPlan,
  { ip_pool: pool, center_link: link }: AddressPlan,
  indexes: readonly number[],
): readonly WantedSegment[] {
  const interlink = ({ gateway, mask, enable }: AddressPlan['center_link']) =>
    gateway === '' || enable === 0 ? null : { gateway, mask }
  const rows = [
    ['POP硬件网段', 'pop', before.ip_pool.pop, pool.pop],
    ['POP软件网段', 'pop_software', before.ip_pool.pop_software, pool.pop_software],
    [SETTING_TITLE.center_link, 'center_link_network', interlink(before.center_link), interlink(link)],
  ] as const
  const chosen = rows.flatMap(([label, field, old, next]) =>
    next ? [{ label, segment: segmentText(next), field: `${field}.gateway`, isChanged: !isSameJson(old, next) }] : [],
  )
  const held = new Set(defaultNodeSegments({ indexes, ipPool: before.ip_pool }).map(({ segment }) => segment))
  const defaults = defaultNodeSegments({ indexes, ipPool: pool }).map(({ name: label, field, segment }) => {
    return { label, segment, field: `${field}.gateway`, isChanged: !held.has(segment) }
  })
  return [...chosen, ...defaults]
}
