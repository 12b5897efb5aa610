import { type DeviceQuestion, QUESTION_REFUSAL, type QuestionAnswer } from '#contract/device/questions.ts'
import { isUnicast } from '#contract/kernel/ipv4.ts'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import { isInside } from '#domain/network/addresses/segments.ts'
import { type AnswerQuestion, QuestionRefused } from '#infra/agent/questions.ts'
import type { ChosenRoute } from '../frr/chosen-routes.ts'
import { parseAddresses } from '../ip/rules.ts'
import { LINK_REASON } from '../link-states.ts'
import type { ProgramResult } from '../programs.ts'
import type { AskedNetwork } from './asked-network.ts'
import { type Exit, parsePing, pingArgs, pingMs } from './ping.ts'
import { type Arrival, exitOf, isUnplugged, lookupArgs, parseLookup, prefixOf, viaOf } from './route.ts'
import { listLost, pageOf, parseTable, tableArgs } from './routes.ts'
import { TRACEROUTE_MS, parseTraceroute, tracerouteArgs } from './traceroute.ts'

/*
 * Answers of a device that runs its tunnels. It is the last gate of a diagnosis: a packet leaves only where its routing
 * already sends it into the tunnels of the asked network, with an inner address of that network.
 */

export interface QuestionPorts {
  networkOf(number: string): AskedNetwork | null
  /** Runs a program in a network namespace; null: in that of the device. */
  run(namespace: string | null, name: string, args: readonly string[], timeoutMs: number): Promise<ProgramResult>
  hasProgram(name: string): Promise<boolean>
  /** Routes that the BGP of a network has chosen; rejects if it does not answer. */
  chosenRoutes(number: string): Promise<readonly ChosenRoute[]>
  /** Newest report of a link. */
  reportOf(id: string): Pick<LinkReport, 'up' | 'tunnel'> | undefined
}

const LOOKUP_MS = 3_000

export function linuxAnswers(ports: QuestionPorts): AnswerQuestion {
  const lookUp = async ({ namespace }: AskedNetwork, args: readonly string[]) => {
    const { code, stdout } = await ports.run(namespace, 'ip', args, LOOKUP_MS)
    return code === 0 ? parseLookup(stdout) : null // no route
  }

  /** The way of a packet to the address, if it is one of the network. */
  async function requireExit(asked: AskedNetwork, destination: string): Promise<Exit> {
    if (!isUnicast(destination)) throw new QuestionRefused(QUESTION_REFUSAL.address)
    const exit = exitOf(await lookUp(asked, lookupArgs(destination, null)), asked)
    return exit ?? refuse(QUESTION_REFUSAL.noRoute)
  }

  async function requireProgram(name: string): Promise<void> {
    if (!(await ports.hasProgram(name))) throw new QuestionRefused(QUESTION_REFUSAL.program)
  }

  type Asked<K extends DeviceQuestion['kind']> = Extract<DeviceQuestion, { kind: K }>

  async function ping(asked: AskedNetwork, { destination, count }: Asked<'ping'>): Promise<QuestionAnswer<'ping'>> {
    const exit = await requireExit(asked, destination)
    await requireProgram('ping')
    const args = pingArgs(destination, exit, count)
    const { stdout } = await ports.run(asked.namespace, 'ping', args, pingMs(count))
    return parsePing(stdout, exit.source, count)
  }

  async function traceroute(asked: AskedNetwork, { destination }: Asked<'traceroute'>) {
    const exit = await requireExit(asked, destination)
    await requireProgram('traceroute')
    const args = tracerouteArgs(destination, exit)
    const { stdout } = await ports.run(asked.namespace, 'traceroute', args, TRACEROUTE_MS)
    return parseTraceroute(stdout, exit.source)
  }

  async function route(asked: AskedNetwork, question: Asked<'route'>): Promise<QuestionAnswer<'route'>> {
    const { destination } = question
    const arrival = await arrivalOf(asked, question)
    const found = viaOf(await lookUp(asked, lookupArgs(destination, arrival)), destination, asked)
    const match = found && (await lookUp(asked, lookupArgs(destination, arrival, true)))
    const via = isUnplugged(found, match) ? null : found
    const report = via && 'link' in via ? ports.reportOf(via.link) : undefined
    const reason = report?.up === false ? (report.tunnel?.reason ?? '') : ''
    const isSessionDown = reason === LINK_REASON.noSession
    return {
      via,
      prefix: via && match ? prefixOf(match.dst) : null,
      session: report === undefined ? null : report.up ? 'up' : isSessionDown ? 'down' : null,
      tunnel: isSessionDown ? '' : reason,
    }
  }

  /** A LAN address as source asks the routing alone. */
  async function arrivalOf(asked: AskedNetwork, { source, arrival }: Asked<'route'>): Promise<Arrival | null> {
    if (arrival !== null) {
      const [device, link] = findLink(asked, arrival)
      return { device, source: link.remote_ip }
    }
    if (source === null) return null
    const { stdout } = await ports.run(asked.namespace, 'ip', ['-N', '-j', '-4', 'addr', 'show', 'up'], LOOKUP_MS)
    const lan = parseAddresses(stdout).find(
      ({ name, address }) => asked.lans.includes(name) && isInside(`${source}/32`, address),
    )
    return lan ? { device: lan.name, source } : refuse(QUESTION_REFUSAL.source)
  }

  /** BGP is read before the kernel, which follows it. Without its answer no route is known to be lost. */
  async function routes(asked: AskedNetwork, question: Asked<'routes'>): Promise<QuestionAnswer<'routes'>> {
    const chosen = await ports.chosenRoutes(question.network_number).catch(() => [])
    const { code, stdout, stderr } = await ports.run(asked.namespace, 'ip', tableArgs(asked.table), LOOKUP_MS)
    if (code !== 0 && !/does not exist/.test(stderr)) throw new Error(stderr)
    const rows = code === 0 ? parseTable(stdout, asked) : [] // a table without routes does not exist
    return pageOf(rows, listLost(chosen, rows, asked), question.offset)
  }

  return async (question) => {
    const asked = ports.networkOf(question.network_number) ?? refuse(QUESTION_REFUSAL.network)
    switch (question.kind) {
      case 'ping':
        return ping(asked, question)
      case 'traceroute':
        return traceroute(asked, question)
      case 'route':
        return route(asked, question)
      case 'routes':
        return routes(asked, question)
    }
  }
}

function findLink({ links }: AskedNetwork, id: string) {
  for (const [device, over] of links) {
    const link = over.find((one) => one.id === id)
    if (link) return [device, link] as const
  }
  return refuse(QUESTION_REFUSAL.network)
}

function refuse(reason: string): never {
  throw new QuestionRefused(reason)
}
