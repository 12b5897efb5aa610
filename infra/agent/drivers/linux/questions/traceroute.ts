import * as z from 'zod'
import { QUESTION, type QuestionAnswer } from '#contract/device/questions.ts'
import type { Exit } from './ping.ts'

/* Traceroute over one interface from its inner address: arguments of the program, and its answer. */

/** Echo requests, as of a ping: no port of a host is touched. */
export const tracerouteArgs = (destination: string, { device, source }: Exit): readonly string[] => [
  '-n',
  '-I',
  '-q',
  '1',
  '-w',
  '1',
  '-m',
  String(QUESTION.hopsMax),
  '-i',
  device,
  '-s',
  source,
  destination,
]

export const TRACEROUTE_MS = 10_000

const HOP = /^\s*(\d+)\s+(?:\*|(\S+)\s+([\d.]+) ms)/
const hopAddress = z.ipv4()

/** Hops by their number, up to the last one that answered. */
export function parseTraceroute(text: string, source: string): QuestionAnswer<'traceroute'> {
  const hops = text.split('\n').flatMap((line) => {
    const [, number, ip, time] = HOP.exec(line) ?? []
    if (number === undefined) return []
    const isKnown = hopAddress.safeParse(ip).success
    return [{ ip: isKnown && ip !== undefined ? ip : null, rtt_ms: isKnown ? Number(time) : null }]
  })
  const answered = hops.findLastIndex(({ ip }) => ip !== null) + 1
  return { source, hops: hops.slice(0, Math.min(Math.max(answered, 1), QUESTION.hopsMax)) }
}
