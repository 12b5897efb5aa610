import type { NetworkHealth } from '#contract/kernel/health.ts'
import { LINK_STATES, type LinkState } from '#contract/kernel/protocol.ts'
import { countLinks } from '#domain/health/link.ts'

/* Agreement of the console and the routers on every link of a network. Pure. */

/** An end of a link has its tunnel and the routing session over it, as its router says. */
export interface LinkEnds {
  readonly client: boolean
  readonly server: boolean
}

type StatesById = ReadonlyMap<string, LinkState | null>

/** Parts of the console that show each link: page when it is opened, poll, table of links and drawing. */
const READERS = ['detail', 'status', 'table', 'drawing'] as const

export interface ConsoleLinks extends Readonly<Record<(typeof READERS)[number], StatesById>> {
  /** Health in the list of networks. */
  readonly list: Pick<NetworkHealth, 'state' | 'links'>
  /** Members that the poll says are online, and those that the page shows so. */
  readonly online: readonly [ReadonlySet<string>, ReadonlySet<string>]
}

export interface AgreementInput {
  readonly shown: ConsoleLinks
  /** Links as the routers have them, by id. */
  readonly ends: ReadonlyMap<string, LinkEnds>
  readonly routers: readonly string[]
  /** Routers that reach neither the service nor another router. */
  readonly isCutOff: (routerName: string) => boolean
}

/** A line for each link, list or member of which somebody says another thing than the routers; none if all agree. */
export function findDisagreements(input: AgreementInput): readonly string[] {
  return [...disagreeingLinks(input), ...disagreeingList(input), ...disagreeingMembers(input)]
}

function disagreeingLinks({ shown, ends, isCutOff }: AgreementInput): readonly string[] {
  const ids = new Set([...ends.keys(), ...READERS.flatMap((reader) => [...shown[reader].keys()])])
  return [...ids].flatMap((id) => {
    const own = ends.get(id) ?? { client: false, server: false }
    const words = READERS.map((reader) => shown[reader].get(id) ?? null)
    const right = rightStates(own, namesIn(id).some(isCutOff))
    if (words.every((word) => word !== null && word === words[0] && right.includes(word))) return []
    const said = READERS.map((reader, n) => `${reader} ${words[n] ?? 'nothing'}`)
    return `${id}: client ${wordOf(own.client)}, server ${wordOf(own.server)}; ${said.join(', ')}`
  })
}

const namesIn = (id: string): readonly string[] => id.slice(id.indexOf(':') + 1).split('>')
const wordOf = (isUp: boolean): string => (isUp ? 'up' : 'down')

/** A router that is cut off cannot say that its link is down: the console knows the other end's word alone, or nothing. */
function rightStates({ client, server }: LinkEnds, isCut: boolean): readonly LinkState[] {
  if (isCut) return client || server ? [] : ['down', 'one_sided', 'unknown']
  if (client !== server) return ['one_sided']
  return [client ? 'up' : 'down']
}

/** The list counts what the poll says, and calls no network normal that has a link which is not up. */
function disagreeingList({ shown: { list, status } }: AgreementInput): readonly string[] {
  const states = [...status.values()].flatMap((state) => (state === null ? [] : { state }))
  const count = countLinks(states)
  const isNormal = list.state === 'ok' && count.up < states.length
  if (!isNormal && LINK_STATES.every((state) => list.links[state] === count[state])) return []
  return [`list: ${list.state} with ${JSON.stringify(list.links)}, status ${JSON.stringify(count)}`]
}

function disagreeingMembers({ shown: { online }, routers, isCutOff }: AgreementInput): readonly string[] {
  const [polled, paged] = online
  return routers
    .filter((name) => polled.has(name) !== paged.has(name) || (!isCutOff(name) && !polled.has(name)))
    .map((name) => `${name}: online by the poll ${polled.has(name)}, by the page ${paged.has(name)}`)
}
