import { readdir } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'

/* Watch of interfaces that come, go or change: the tunnel of a client appears with its connection, a LAN port with its cable. */

const POLL_MS = 2_000

export interface InterfaceWatch {
  close(): void
}

/** Calls `onChange` after the names or IPv4 addresses of the interfaces have changed. */
export function watchInterfaces(onChange: () => void, read = readFingerprint, everyMs = POLL_MS): InterfaceWatch {
  let known: string | null = null
  const poll = async () => {
    const current = await read().catch(() => known)
    const isChanged = known !== null && current !== known
    known = current
    if (isChanged) onChange()
  }
  void poll()
  const timer = setInterval(() => void poll(), everyMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

async function readFingerprint(): Promise<string> {
  const names = await readdir('/proc/sys/net/ipv4/conf')
  const addresses = Object.entries(networkInterfaces()).flatMap(([name, known = []]) =>
    known.filter(({ family }) => family === 'IPv4').map(({ cidr }) => `${name} ${cidr}`),
  )
  return JSON.stringify([names.toSorted(), addresses.toSorted()])
}
