import { readDevice } from './user-agent.ts'

/** Network origin of a request. */
export interface RequestOrigin {
  readonly ip: string
  /** The place of the address in words, '' where it is not known. */
  readonly place: string
  /** Block of addresses that replaces an unknown place. */
  readonly ipRegion: string
  readonly userAgent: string
}

export type SeenOrigin = readonly [kind: 'device' | 'place', value: string]

/** By which a later sign-in is known again. */
export const originsOf = ({ userAgent, place, ipRegion }: RequestOrigin): readonly [SeenOrigin, SeenOrigin] => [
  ['device', readDevice(userAgent).key],
  ['place', place || ipRegion],
]

export interface Novelty {
  readonly device: boolean
  readonly place: boolean
}

/** Null where nothing is new, and at the first sign-in of a person, with which nothing can be compared. */
export function evaluateNovelty(origins: readonly SeenOrigin[], known: readonly SeenOrigin[]): Novelty | null {
  const isNew = (kind: SeenOrigin[0]) =>
    origins.some(([of, value]) => of === kind && !known.some(([k, v]) => k === kind && v === value))
  const novelty = { device: isNew('device'), place: isNew('place') }
  return known.length > 0 && (novelty.device || novelty.place) ? novelty : null
}
