/* Parser of the lines that `conntrack` prints. */

export interface FlowDirection {
  readonly src: string
  readonly dst: string
  readonly dport: number
  readonly bytes: number
}

export interface TrackedFlow {
  /** Id of the kernel; a later connection may have the same one. */
  readonly id: string
  readonly protocol: string
  readonly original: FlowDirection
  readonly reply: FlowDirection
  readonly isDestroyed: boolean
}

/** Parses a line of `conntrack -L -o id` or `conntrack -E -o id`; null if it is no connection, or of another protocol. */
export function parseConntrack(line: string): TrackedFlow | null {
  const isDestroyed = line.includes('[DESTROY]')
  const protocol = /(?:^|\s)(tcp|udp|icmp|sctp|dccp|udplite|gre)\s+\d+/.exec(line)?.[1]
  const id = /\bid=(\d+)/.exec(line)?.[1]
  const ends = [...line.matchAll(/src=(\S+) dst=(\S+)((?: (?!src=)\S+=\S+| \[\w+\])*)/g)].map(([, src, dst, rest]) => ({
    src: src ?? '',
    dst: dst ?? '',
    dport: Number(/\bdport=(\d+)/.exec(rest ?? '')?.[1] ?? 0),
    bytes: Number(/\bbytes=(\d+)/.exec(rest ?? '')?.[1] ?? 0),
  }))
  const [original, reply] = ends
  if (protocol === undefined || id === undefined || !original || !reply) return null
  return { id, protocol, original, reply, isDestroyed }
}
