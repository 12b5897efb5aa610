import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { replaceFile } from '#infra/agent/store.ts'

/* Settings of the kernel by their path below /proc/sys/net/ipv4, and the record of their values before this driver. */

const ROOT = '/proc/sys/net/ipv4'

/** Value of each setting that a device with tunnels needs: forwarding, and flows spread over equal paths by their ports. */
export const NEEDED: ReadonlyMap<string, number> = new Map([
  ['ip_forward', 1],
  ['fib_multipath_hash_policy', 1],
])

const STRICT = 1
const LOOSE = 2 // the way back of a packet may be another tunnel

export type Sysctls = ReadonlyMap<string, number>

const filterOf = (name: string): string => `conf/${name}/rp_filter`
const FILTER = /^conf\/(.+)\/rp_filter$/

/**
 * The server of a segment answers ARP for its members (RFC 3069): they share the segment, but reach each other by the server
 * alone, because OpenVPN passes nothing between clients.
 */
const proxyOf = (name: string): string => `conf/${name}/proxy_arp_pvlan`
const PROXY = /^conf\/ov\d+r\/proxy_arp_pvlan$/
/** Such an answer waits up to 0.8 s by default, which a ping would show as the time of its first packet. */
const delayOf = (name: string): string => `neigh/${name}/proxy_delay`
const DELAY = /^neigh\/ov\d+r\/proxy_delay$/

/** The settings in question: those above, the filters of all interfaces, and the proxies. A kernel may lack some. */
export async function readSysctls(): Promise<Sysctls> {
  const names = await readdir(`${ROOT}/conf`).catch(() => [])
  const served = names.filter((name) => PROXY.test(proxyOf(name)))
  const paths = [...NEEDED.keys(), ...names.map(filterOf), ...served.map(proxyOf), ...served.map(delayOf)]
  const values = await Promise.all(paths.map(async (path) => [path, await readValue(path)] as const))
  return new Map(values.flatMap(([path, value]) => (value === null ? [] : [[path, value] as const])))
}

const readValue = (path: string): Promise<number | null> =>
  readFile(`${ROOT}/${path}`, 'utf8').then(
    (text) => Number(text),
    () => null,
  )

/** Settings that have to change. Of the filter of an interface and that of all, the kernel takes the higher one. */
export function planSysctls(before: Sysctls, lan: readonly string[]): Sysctls {
  const needed = [...NEEDED].filter(([path, value]) => before.has(path) && before.get(path) !== value)
  const all = before.get(filterOf('all')) ?? 0
  const strict = [...before].flatMap(([path, value]) => {
    const [, name = ''] = FILTER.exec(path) ?? []
    const isOurs = lan.includes(name) || /^ov\d/.test(name)
    return isOurs && Math.max(all, value) === STRICT ? [[path, LOOSE] as const] : []
  })
  const silent = [...before].flatMap(([path, value]) => (PROXY.test(path) && value === 0 ? [[path, 1] as const] : []))
  const late = [...before].flatMap(([path, value]) => (DELAY.test(path) && value !== 0 ? [[path, 0] as const] : []))
  return new Map([...needed, ...strict, ...silent, ...late])
}

export const writeSysctl = (path: string, value: number): Promise<void> => writeFile(`${ROOT}/${path}`, `${value}\n`)

const record = z.record(z.string(), z.int())

/** Values before this driver changed them. */
export class SysctlRecord {
  private readonly file: string

  constructor(file: string) {
    this.file = file
  }

  async read(): Promise<Sysctls> {
    const text = await readFile(this.file, 'utf8').catch(() => '{}')
    return new Map(Object.entries(record.safeParse(parseJson(text)).data ?? {}))
  }

  /** Adds values; one that was recorded before stays. Those of our own interfaces go with these. */
  async add(values: Sysctls): Promise<void> {
    const kept = new Map([...[...values].filter(([path]) => !/^(conf|neigh)\/ov\d/.test(path)), ...(await this.read())])
    if (kept.size > 0) await replaceFile(this.file, `${JSON.stringify(Object.fromEntries(kept))}\n`)
  }

  async clear(): Promise<void> {
    await rm(this.file, { force: true })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
