import { DIAL } from '#contract/kernel/hub-limits.ts'
import { linkEnds } from '#domain/network/members/links.ts'
import { LINK_DOWN, LINK_REMOVED, LINK_DEVICE_AWAY } from '#contract/kernel/states.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Log of the links that a device dials, a period for each time a link was up. Pure functions. */

/** Period in which a link of this device was up: a row of the dial log. */
export interface LinkPeriod {
  readonly id: string
  readonly startAt: number
  /** End of the period; null while it lasts. */
  readonly endAt: number | null
  readonly reason: string
  /** Outside address of the device, and its own address in the tunnel. */
  readonly orig: string
  readonly vpnIp: string
}

/** Log of the links that this device dials; the other end writes nothing. */
export interface LinkLog {
  /** Periods that last, by link. */
  readonly open: Readonly<Record<string, LinkPeriod>>
  /** Inside addresses by link, from the document. */
  readonly ips: Readonly<Record<string, string>>
  /** Periods that began in an hour since 1970. */
  readonly hour: number
  readonly count: number
  /** True: links that are up have no period yet, because the hour was full or this log is new. */
  readonly isBehind: boolean
}

export const noLinkLog: LinkLog = { open: {}, ips: {}, hour: 0, count: 0, isBehind: true }

interface LinkLogInput {
  readonly routerName: string
  readonly links: Readonly<Record<string, { readonly up: boolean }>>
  readonly orig: string
  /** Time at which the device was last seen, if it is away. */
  readonly awaySince: number | null
  /** Number of periods that may still begin before waiting ones are saved. */
  readonly remaining: number
  readonly now: number
}

/**
 * Adds a period for each up and down, a limited number an hour; a flapping device gets the others in the next hour.
 * `periods` are those that began or ended.
 */
export function stepLinkLog(
  before: LinkLog,
  { routerName, links, orig, awaySince, remaining, now }: LinkLogInput,
): { readonly log: LinkLog; readonly periods: readonly LinkPeriod[] } {
  const isUp = (id: string): boolean => links[id]?.up === true
  const ended = Object.values(before.open).flatMap((period): LinkPeriod[] => {
    if (isUp(period.id)) return []
    const reason = awaySince !== null ? LINK_DEVICE_AWAY : links[period.id] ? LINK_DOWN : LINK_REMOVED
    return [{ ...period, endAt: Math.max(period.startAt, awaySince ?? now), reason }]
  })
  const hour = Math.floor(now / HOUR_MS)
  const used = before.hour === hour ? before.count : 0
  const wanted = Object.keys(links).filter((id) => isUp(id) && !before.open[id] && linkEnds(id)?.client === routerName)
  const begun = wanted
    .slice(0, Math.max(0, Math.min(DIAL.newPerHour - used, remaining)))
    .map((id): LinkPeriod => ({ id, startAt: now, endAt: null, reason: '', orig, vpnIp: before.ips[id] ?? '' }))
  const isBehind = begun.length < wanted.length
  if (ended.length + begun.length === 0) {
    return { log: isBehind === before.isBehind ? before : { ...before, isBehind }, periods: [] }
  }
  const open = Object.fromEntries(
    [...Object.values(before.open).filter(({ id }) => isUp(id)), ...begun].map((period) => [period.id, period]),
  )
  return {
    log: { ...before, open, hour, count: used + begun.length, isBehind },
    periods: [...ended, ...begun],
  }
}

/** Merges waiting periods with newer ones: of a period that has ended since, only the end stays. */
export function mergePeriods(waiting: readonly LinkPeriod[], newer: readonly LinkPeriod[]): readonly LinkPeriod[] {
  const isReplaced = (old: LinkPeriod) => newer.some(({ id, startAt }) => id === old.id && startAt === old.startAt)
  return newer.length === 0 ? waiting : [...waiting.filter((old) => !isReplaced(old)), ...newer]
}
