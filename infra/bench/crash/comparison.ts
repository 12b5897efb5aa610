import type { PresenceState } from '#contract/kernel/protocol.ts'
import { isPresent } from '#domain/health/member.ts'

export type Compare = (what: string, actual: unknown, expected: unknown) => void

const TEXT_MAX = 1_000

/** Adds each difference to `differences`; of lists only the items that differ. */
export function createComparison(differences: string[]): Compare {
  return (what, actual, expected) => {
    if (toText(actual) === toText(expected)) return
    const without = (list: unknown, other: unknown) =>
      Array.isArray(list) && Array.isArray(other)
        ? toText(list.filter((item) => !other.some((one) => toText(one) === toText(item))))
        : toText(list)
    const [extra, missing] = [without(actual, expected), without(expected, actual)]
    differences.push(`${what}: ${extra.slice(0, TEXT_MAX)} instead of ${missing.slice(0, TEXT_MAX)}`)
  }
}

/** A hub sends others no change of `last_seen` alone, and no page shows it of a router that is present. */
const toText = (value: unknown): string => {
  const isOutdated = (item: unknown) => isPresent((item as { readonly state?: PresenceState }).state ?? 'never')
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && 'last_seen' in item && isOutdated(item)
      ? { ...item, last_seen: null }
      : item,
  )
  return String(text)
}

export const byName = <T>(items: Iterable<T>, toName: (item: T) => string): T[] =>
  [...items].toSorted((a, b) => (toName(a) < toName(b) ? -1 : 1))
