import type { DocumentLink, DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import {
  type DeviceQuestion,
  QUESTION,
  QUESTION_FAILED,
  QUESTION_REFUSAL,
  type QuestionAnswer,
} from '#contract/device/questions.ts'
import { isUnicast } from '#contract/kernel/ipv4.ts'
import { isInside, toNetwork } from '#domain/network/addresses/segments.ts'
import { type KnownRoute, pageOf } from '#infra/agent/drivers/linux/questions/routes.ts'
import { type AnswerQuestion, QuestionRefused } from '#infra/agent/questions.ts'
import {
  DEFAULT,
  type Speaker,
  type Speakers,
  chosenPeers,
  exchange,
  isOwn,
  prefixFor,
  toSpeaker,
} from './virtual-routes.ts'

/* Answers of a virtual router about its routes. No packet leaves: times are made up, by the number of hops. */

const HOP_MS = 4
const GAP_MS = 100

/** A router that runs. */
export interface VirtualRouter {
  readonly name: string
  readonly document: RouterDocument
}

/**
 * @param routers the running routers of this process, itself among them.
 * @param isHere true for a router of this process. What others announce is not known, so their networks are not answered for.
 */
export function virtualAnswers(
  name: string,
  routers: () => readonly VirtualRouter[],
  isHere: (routerName: string) => boolean = () => true,
): AnswerQuestion {
  return async (question) => {
    const speakers = speakersOf(routers(), question.network_number)
    const self = speakers.get(name) ?? refuse(QUESTION_REFUSAL.network)
    if (!self.network.links.every(({ peer }) => isHere(peer))) refuse(QUESTION_FAILED)
    exchange(speakers)
    switch (question.kind) {
      case 'ping':
        return ping(speakers, self, question)
      case 'traceroute':
        return traceroute(speakers, self, question)
      case 'route':
        return lookUp(speakers, self, question)
      case 'routes':
        return pageOf(listRoutes(speakers, self), [], question.offset)
    }
  }
}

function speakersOf(routers: readonly VirtualRouter[], number: string): Speakers {
  return new Map(
    routers.flatMap(({ name, document }) => {
      const network = document.networks.find(({ network_number }) => network_number === number)
      return network ? [[name, toSpeaker(name, document, network)] as const] : []
    }),
  )
}

type Asked<K extends DeviceQuestion['kind']> = Extract<DeviceQuestion, { kind: K }>

const linkTo = ({ links }: DocumentNetwork, peer: string): DocumentLink | undefined =>
  links.find((link) => link.peer === peer)

function listRoutes(speakers: Speakers, self: Speaker): KnownRoute[] {
  return [...self.learned.keys()]
    .filter((prefix) => !isOwn(self, prefix))
    .flatMap((prefix) =>
      chosenPeers(self, prefix, speakers).flatMap((peer) => {
        const link = linkTo(self.network, peer)
        return link ? [[prefix, link.id] as const] : []
      }),
    )
}

const found = (via: QuestionAnswer<'route'>['via'], prefix: string | null): QuestionAnswer<'route'> => ({
  via,
  prefix,
  session: via && 'link' in via ? 'up' : null,
  tunnel: '',
})

function lookUp(
  speakers: Speakers,
  self: Speaker,
  { destination, source, arrival }: Pick<Asked<'route'>, 'destination' | 'source' | 'arrival'>,
): QuestionAnswer<'route'> {
  const { network, lans, software } = self
  const isAt = (segment: string) => isInside(`${destination}/32`, segment)
  if (source !== null && !lans.some((lan) => isInside(`${source}/32`, lan))) return refuse(QUESTION_REFUSAL.source)
  const own = [...network.servers, ...network.addresses].map(({ ip }) => ip)
  if (own.concat(network.links.map(({ local_ip }) => local_ip)).includes(destination))
    return found({ local: 'self' }, `${destination}/32`)
  const lan = lans.find(isAt)
  if (lan !== undefined) return found({ local: 'lan' }, lan)
  const served = software.find(isAt)
  if (served !== undefined) return found({ local: 'software' }, served)
  const near = nearLink(network.links, destination)
  if (near) return found({ link: near.id }, toNetwork(`${near.remote_ip}/${near.mask}`))
  const prefix = prefixFor(self, destination)
  const isOwnDefault = prefix === DEFAULT && source === null && arrival === null // its own packets take the WAN
  const [peer = ''] = prefix === null || isOwnDefault ? [] : chosenPeers(self, prefix, speakers)
  const link = linkTo(network, peer)
  return link ? found({ link: link.id }, prefix) : found({ wan: true }, DEFAULT)
}

/** Link to an address of its segment; a centre that serves the segment knows its members only. */
const nearLink = (links: readonly DocumentLink[], destination: string): DocumentLink | undefined =>
  links.find(({ remote_ip }) => remote_ip === destination) ??
  links.find(
    ({ role, mask, remote_ip }) =>
      role === 'client' && mask < 32 && isInside(`${destination}/32`, toNetwork(`${remote_ip}/${mask}`)),
  )

interface Walk {
  readonly source: string
  /** Address of each router on the way, the destination last. */
  readonly hops: readonly string[]
}

/** Way of a packet over the routers of the process. */
function walk(speakers: Speakers, self: Speaker, destination: string): Walk {
  if (!isUnicast(destination)) refuse(QUESTION_REFUSAL.address)
  let [at, arrival]: [Speaker, string | null] = [self, null]
  let source = ''
  const hops: string[] = []
  while (hops.length < QUESTION.hopsMax) {
    const { via } = lookUp(speakers, at, { destination, source: null, arrival })
    const link = via && 'link' in via ? at.network.links.find(({ id }) => id === via.link) : undefined
    const next = link && speakers.get(link.peer)
    if (!link || !next) break
    if (source === '') source = link.local_ip
    hops.push(link.remote_ip)
    if (link.remote_ip === destination) return { source, hops }
    at = next
    arrival = link.id
  }
  return source === '' ? refuse(QUESTION_REFUSAL.noRoute) : { source, hops: [...hops, destination] }
}

const timeOf = (hop: number): number => Math.round((hop * HOP_MS + Math.random()) * 100) / 100
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function ping(
  speakers: Speakers,
  self: Speaker,
  { destination, count }: Asked<'ping'>,
): Promise<QuestionAnswer<'ping'>> {
  const { source, hops } = walk(speakers, self, destination)
  await pause(count * GAP_MS)
  return { source, sent: count, received: count, times_ms: Array.from({ length: count }, () => timeOf(hops.length)) }
}

async function traceroute(
  speakers: Speakers,
  self: Speaker,
  { destination }: Asked<'traceroute'>,
): Promise<QuestionAnswer<'traceroute'>> {
  const { source, hops } = walk(speakers, self, destination)
  await pause(hops.length * GAP_MS)
  return { source, hops: hops.map((ip, index) => ({ ip, rtt_ms: timeOf(index + 1) })) }
}

function refuse(reason: string): never {
  throw new QuestionRefused(reason)
}
