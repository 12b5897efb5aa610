import type { Slots } from '../render/slots.ts'

/** Number of the network that a tunnel interface is named for; none for other interfaces. */
export function networksOf(name: string, slots: Slots): readonly string[] {
  const [, slot] = /^ov(\d+)[rscx]\d*$/.exec(name) ?? []
  return [...slots].flatMap(([number, one]) => (String(one.slot) === slot ? [number] : []))
}
