import * as z from 'zod'
import { QUESTION, type QuestionAnswer } from '#contract/device/questions.ts'
import { type AskedNetwork, linkOver } from './asked-network.ts'
import type { ChosenRoute } from '../frr/chosen-routes.ts'
import { prefixOf } from './route.ts'

/* Routes of one network in the kernel's table, in pages. */

export const tableArgs = (table: number): readonly string[] => [
  '-N',
  '-j',
  '-4',
  'route',
  'show',
  'table',
  String(table),
]

const way = z.looseObject({ gateway: z.string().optional(), dev: z.string().optional() })
const rows = z.array(
  way.extend({ dst: z.string(), protocol: z.string().optional(), nexthops: z.array(way).optional() }),
)

/** Number of the kernel's own routes, those of connected segments. */
const KERNEL = '2'

/** Route with the link that it takes. One that shares its load over links stands once for each. */
export type KnownRoute = readonly [prefix: string, linkId: string]

/** Routes over links of the network. Those of other networks are left out. */
export function parseTable(text: string, asked: AskedNetwork): readonly KnownRoute[] {
  return rows.parse(JSON.parse(text.trim() || '[]')).flatMap(({ dst, protocol, nexthops, ...only }) => {
    if (protocol === KERNEL) return []
    return (nexthops ?? [only]).flatMap(({ dev, gateway }) => {
      const link = dev === undefined ? null : linkOver(asked, dev, gateway ?? '')
      return link ? [[prefixOf(dst), link.id] as const] : []
    })
  })
}

/** Routes over links of the network that BGP has chosen and the kernel lacks. */
export function listLost(
  chosen: readonly ChosenRoute[],
  kernel: readonly KnownRoute[],
  { links }: Pick<AskedNetwork, 'links'>,
): readonly KnownRoute[] {
  const ids = new Map([...links.values()].flat().map(({ remote_ip, id }) => [remote_ip, id]))
  const known = new Set(kernel.map((route) => route.join(' ')))
  return chosen.flatMap(({ prefix, peer }) => {
    const id = ids.get(peer)
    return id === undefined || known.has(`${prefix} ${id}`) ? [] : [[prefix, id] as const]
  })
}

/** Below JOB.dataMax, with room for the names of fields. */
const PAGE_CHARS = 15_000

/** Routes of the kernel, then the lost ones, from `offset` on, as many as an answer takes. Each link is named once. */
export function pageOf(
  kernel: readonly KnownRoute[],
  lost: readonly KnownRoute[],
  offset: number,
): QuestionAnswer<'routes'> {
  const links = new Map<string, number>()
  const page: [string, number][] = []
  let chars = 0
  for (const [prefix, id] of [...kernel, ...lost].slice(offset, offset + QUESTION.pageRows)) {
    chars += prefix.length + 10 + (links.has(id) ? 0 : id.length + 4)
    if (chars > PAGE_CHARS) break
    const index = links.get(id) ?? links.size
    links.set(id, index)
    page.push([prefix, index])
  }
  const ofKernel = Math.max(0, kernel.length - offset)
  return {
    total: kernel.length + lost.length,
    links: [...links.keys()],
    rows: page.slice(0, ofKernel),
    ...(page.length > ofKernel && { lost: page.slice(ofKernel) }),
  }
}
