import type { QuestionAnswer } from '#contract/device/questions.ts'

/* Ping over one interface from its inner address: arguments of the program, and its answer. */

export interface Exit {
  readonly device: string
  readonly source: string
}

const GAP_S = 0.5
const WAIT_S = 1

/** The interface is bound, so that no route that moves meanwhile lets a packet out elsewhere. */
export const pingArgs = (destination: string, { device, source }: Exit, count: number): readonly string[] => [
  '-n',
  '-c',
  String(count),
  '-i',
  String(GAP_S),
  '-W',
  String(WAIT_S),
  '-I',
  device,
  '-I',
  source,
  destination,
]

/** Longest run of the program. */
export const pingMs = (count: number): number => (count * GAP_S + WAIT_S + 2) * 1_000

const REPLY = /icmp_seq=(\d+) .*time=([\d.]+) ms/

/** Times by the number of the packet. An answer that comes twice counts once. */
export function parsePing(text: string, source: string, count: number): QuestionAnswer<'ping'> {
  const times = new Map<number, number>()
  for (const line of text.split('\n')) {
    const [, number, time] = REPLY.exec(line) ?? []
    if (number !== undefined && !times.has(Number(number))) times.set(Number(number), Number(time))
  }
  const times_ms = Array.from({ length: count }, (_, index) => times.get(index + 1) ?? null)
  return { source, sent: count, received: times_ms.filter((time) => time !== null).length, times_ms }
}
