import { readFileSync } from 'node:fs'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import type { SiteName } from '#infra/lab/bed/sites.ts'

/* State of a router as its kernel has it: tunnels, rules, routes and the programs that carry them. */

/** Addresses of a router's own ends of tunnels, by interface. */
export async function readTunnels(bed: Bed, site: SiteName): Promise<ReadonlyMap<string, string>> {
  const { output } = await bed.run(routerName(site), ['ip', '-4', '-o', 'addr', 'show'])
  const lines = [...output.matchAll(/^\d+: (ov\S+)\s+inet ([\d.]+)/gm)]
  return new Map(lines.map(([, name = '', address = '']) => [name, address]))
}

const CARRIERS: ReadonlySet<string> = new Set(['openvpn', 'zebra', 'bgpd', 'bfdd', 'dnsmasq'])

/** Processes that carry packets or routes, `program pid` each; the agent is none of them. */
export const readCarriers = (bed: Bed, site: SiteName): readonly string[] =>
  [...bed.processes(routerName(site))]
    .flatMap(([pid, program]) => (CARRIERS.has(program) ? [`${program} ${pid}`] : []))
    .toSorted()

/** Policy rules beside those of the kernel, and routes of the table of networks. */
export async function readRules(bed: Bed, site: SiteName): Promise<readonly string[]> {
  const rules = await bed.run(routerName(site), ['ip', 'rule', 'show'])
  const routes = await bed.run(routerName(site), ['ip', 'route', 'show', 'table', '200'])
  return [
    ...rules.output.split('\n').filter((line) => /^[1-9]/.test(line) && !/^3276[67]:/.test(line)),
    ...(routes.code === 0 ? routes.output.split('\n').filter(Boolean) : []),
  ]
}

/** Processes of a router that carry packets or routes and have an argument of this form. */
export const findCarriers = (bed: Bed, site: SiteName, argument: RegExp): readonly number[] =>
  [...bed.processes(routerName(site))].flatMap(([pid, program]) =>
    CARRIERS.has(program) && readArguments(pid).some((one) => argument.test(one)) ? [pid] : [],
  )

function readArguments(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // it has ended
  }
}
