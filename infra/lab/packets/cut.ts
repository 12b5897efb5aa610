import type { Bed } from '../bed/bed.ts'
import { INTERNET } from '../bed/plan.ts'

/* Cuts in the internet: the bridge drops what passes from or to an address, or between two. */

export interface Cut {
  mend(): Promise<void>
}

let cuts = 0

/** Drops what one address sends to another; answers pass. */
export async function mute(bed: Bed, from: string, to: string): Promise<Cut> {
  return drop(bed, [`ip saddr ${from} ip daddr ${to}`])
}

/** One address that is cut off, or two that are cut from each other. */
type CutAddresses = readonly [string] | readonly [string, string]

export async function cutOff(bed: Bed, ...addresses: CutAddresses): Promise<Cut> {
  const [one, other] = addresses
  const directions =
    other === undefined
      ? [`ip saddr ${one}`, `ip daddr ${one}`, `arp saddr ip ${one}`, `arp daddr ip ${one}`]
      : [`ip saddr ${one} ip daddr ${other}`, `ip saddr ${other} ip daddr ${one}`]
  return drop(bed, directions)
}

/** Does work while addresses are cut off, and mends the cut in any case. */
export async function whileCut(bed: Bed, addresses: CutAddresses, work: () => Promise<unknown>): Promise<void> {
  const cut = await cutOff(bed, ...addresses)
  try {
    await work()
  } finally {
    await cut.mend()
  }
}

async function drop(bed: Bed, matches: readonly string[]): Promise<Cut> {
  const table = `cut${++cuts}`
  const chain = (hook: string) =>
    `  chain ${hook} { type filter hook ${hook} priority 0; ${matches.map((match) => `${match} drop;`).join(' ')} }\n`
  const text = `table bridge ${table} {\n${['forward', 'input', 'output'].map(chain).join('')}}\n`
  await load(bed, text)
  return { mend: () => load(bed, `delete table bridge ${table}\n`) }
}

async function load(bed: Bed, input: string): Promise<void> {
  const { code, output } = await bed.run(INTERNET, ['nft', '-f', '-'], { input })
  if (code !== 0) throw new Error(output)
}
