import { z } from 'zod'
import type { RouterDocument } from '#contract/device/document.ts'

/**
 * Small numbers of networks and of their links, for interface names. A network or link keeps its number while it exists, so
 * that no running tunnel is renamed when another one goes.
 */
interface Slot {
  readonly slot: number
  readonly links: ReadonlyMap<string, number>
}
export type Slots = ReadonlyMap<string, Slot>

export const NO_SLOTS: Slots = new Map()

/** Numbers of a document's networks: the earlier ones, else the lowest free ones. */
export function assignSlots(document: RouterDocument, before: Slots): Slots {
  const numbers = assign(
    document.networks.map((network) => network.network_number),
    (number) => before.get(number)?.slot,
  )
  return new Map(
    document.networks.map(({ network_number: number, links }) => [
      number,
      {
        slot: numbers.get(number) ?? 0,
        links: assign(
          links.map((link) => link.id),
          (id) => before.get(number)?.links.get(id),
        ),
      },
    ]),
  )
}

function assign(names: readonly string[], numberBefore: (name: string) => number | undefined): Map<string, number> {
  const kept = new Map<string, number>()
  const used = new Set<number>()
  for (const name of names) {
    const number = numberBefore(name)
    if (number === undefined || used.has(number)) continue
    kept.set(name, number)
    used.add(number)
  }
  let next = 1
  return new Map(
    names.map((name) => {
      const number = kept.get(name)
      if (number !== undefined) return [name, number]
      while (used.has(next)) next += 1
      used.add(next)
      return [name, next]
    }),
  )
}

// 15 characters hold `ov`, both numbers and a letter
const number = z.int().min(1).max(99_999)
const stored = z.array(
  z.object({ network_number: z.string(), slot: number, links: z.array(z.object({ id: z.string(), number })) }),
)

export const writeSlots = (slots: Slots): string =>
  `${JSON.stringify(
    [...slots].map(([network_number, { slot, links }]) => ({
      network_number,
      slot,
      links: [...links].map(([id, number]) => ({ id, number })),
    })),
    null,
    2,
  )}\n`

/** Invalid text gives no numbers: they are assigned again. */
export function readSlots(text: string | null): Slots {
  try {
    const rows = stored.parse(JSON.parse(text ?? '[]'))
    return new Map(
      rows.map(({ network_number, slot, links }) => [
        network_number,
        { slot, links: new Map(links.map(({ id, number }) => [id, number])) },
      ]),
    )
  } catch {
    return NO_SLOTS
  }
}
