import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import type { Counters } from '#contract/device/counters.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { type Ports, fromOs, parseIpAddr } from './ip-addr.ts'
import type { Machine } from './machine.ts'

const run = promisify(execFile)
const INTERFACES_MAX = 64 // worker/contract/kernel/protocol.ts

/**
 * The Linux machine of this process: interfaces, counters and model.
 *
 * @param declared LAN segments without an interface.
 * @param ports interfaces with a role; null: the default route and the kinds of interfaces decide.
 */
export async function linuxMachine(declared: readonly InterfaceInfo[], ports: Ports | null = null): Promise<Machine> {
  let counted: ReadonlySet<string> = new Set() // cached from the last read, so that counters need no subprocess
  const interfaces = async () => {
    const wan = parseDefaultRoute(await text('/proc/net/route'))
    const own = sortByRole(await readInterfaces(wan, ports))
    counted = new Set(own.slice(0, INTERFACES_MAX).map((i) => i.interface))
    return [...own, ...declared.filter((d) => !counted.has(d.interface))].slice(0, INTERFACES_MAX)
  }
  return {
    model: await readModel(),
    bootId: (await text('/proc/sys/kernel/random/boot_id')).trim(),
    interfaces,
    async counters() {
      const all = Object.entries(parseNetDev(await text('/proc/net/dev')))
      return Object.fromEntries(all.filter(([name]) => counted.has(name)))
    },
    async fingerprint() {
      const names = await readdir('/sys/class/net').catch(() => [])
      const states = await Promise.all(
        names.map(async (name) => `${name} ${await sysNet(name, 'operstate')} ${await sysNet(name, 'mtu')}`),
      )
      const route = parseDefaultRoute(await text('/proc/net/route'))
      return JSON.stringify([states, route, networkInterfaces()])
    },
  }
}

/** Reads a file; an absent one reads as empty: embedded systems lack parts of /proc and /sys. */
const text = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const sysNet = async (name: string, file: string): Promise<string> =>
  (await text(`/sys/class/net/${name}/${file}`)).trim()

/** Tunnels last: a centre has more interfaces than fit into a report. */
const sortByRole = (interfaces: readonly InterfaceInfo[]): InterfaceInfo[] =>
  interfaces.toSorted((a, b) => Number(a.role === 'tunnel') - Number(b.role === 'tunnel'))

async function readInterfaces(wan: string | null, ports: Ports | null): Promise<InterfaceInfo[]> {
  try {
    const { stdout } = await run('ip', ['-j', '-d', 'addr', 'show'], { timeout: 5_000 })
    return parseIpAddr(stdout, wan, ports)
  } catch (error) {
    if (ports !== null) throw error // the driver `linux` needs `ip`
    const known = networkInterfaces()
    const mtus = new Map<string, number>()
    for (const name of Object.keys(known)) mtus.set(name, Number(await sysNet(name, 'mtu')))
    return fromOs(known, wan, (name) => mtus.get(name) ?? 0)
  }
}

/** DMI on PCs, device tree on boards, else the host's name. */
async function readModel(): Promise<string> {
  const vendor = (await text('/sys/class/dmi/id/sys_vendor')).trim()
  const product = (await text('/sys/class/dmi/id/product_name')).trim()
  const board = (await text('/sys/firmware/devicetree/base/model')).replaceAll('\0', '').trim()
  return [vendor, product].filter(Boolean).join(' ') || board || hostname()
}

/** /proc/net/dev: bytes received are the first column, bytes sent the ninth. Loopback is left out. */
export function parseNetDev(text: string): Counters {
  const counters: Counters = {}
  for (const line of text.split('\n')) {
    const match = /^\s*([^\s:]+):\s*(\d.*)$/.exec(line)
    if (!match) continue
    const [, name = '', rest = ''] = match
    const columns = rest.trim().split(/\s+/).map(Number)
    const [rx, tx] = [columns[0], columns[8]]
    if (name !== 'lo' && rx !== undefined && tx !== undefined) counters[name] = { rx, tx }
  }
  return counters
}

/** /proc/net/route: the interface of the default route, the lowest metric first; null without one. */
export function parseDefaultRoute(text: string): string | null {
  const routes = text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((c) => c[1] === '00000000' && c[7] === '00000000' && (parseInt(c[3] ?? '0', 16) & 1) === 1) // RTF_UP
    .toSorted((a, b) => Number(a[6]) - Number(b[6]))
  return routes[0]?.[0] ?? null
}
