import { expect, it } from 'vitest'
import { type Namespace, planBed } from '#infra/lab/bed/plan.ts'
import { SITES, SITE_NAMES, hostAddress, hostsOf } from '#infra/lab/bed/sites.ts'

const PREFIX = 'netloom-lab-abc123'
const bed = planBed(PREFIX)
const find = (name: string): Namespace => bed.find((one) => one.name === `${PREFIX}-${name}`)!
const textOf = (commands: readonly (readonly string[])[]) => commands.map((words) => words.join(' '))
const commandsOf = ({ links, settings }: Namespace) => textOf([...links, ...settings])

it('every namespace has the prefix of the run, and no name comes twice', () => {
  expect(bed.filter(({ name }) => !name.startsWith(`${PREFIX}-`))).toEqual([])
  expect(new Set(bed.map(({ name }) => name)).size).toBe(bed.length)
})

it('both ends of every cable are in namespaces of the run', () => {
  const cables = bed.flatMap(commandsOf).filter((text) => text.includes('type veth'))
  const ends = cables.map((text) => / netns (\S+)$/.exec(text)?.[1])
  expect(cables.length).toBeGreaterThan(SITE_NAMES.length)
  expect(ends.filter((end) => !bed.some(({ name }) => name === end))).toEqual([])
})

it('links are made before an address, a bridge port or a route names them', () => {
  expect(bed.flatMap(({ links }) => textOf(links)).filter((text) => !text.startsWith('link add'))).toEqual([])
  expect(bed.flatMap(({ settings }) => textOf(settings)).filter((text) => text.startsWith('link add'))).toEqual([])
})

it('names of ports fit into the kernel', () => {
  const names = bed.flatMap(commandsOf).flatMap((text) => /link add (\S+).* peer name (\S+)/.exec(text)?.slice(1) ?? [])
  expect(names.filter((name) => name.length > 15)).toEqual([])
})

it('each site is at its address on the internet, by its router or by the NAT before it', () => {
  const addresses = bed.flatMap(commandsOf).flatMap((text) => /^addr add (203\.\S+)\/24/.exec(text)?.[1] ?? [])
  expect(addresses).toEqual(expect.arrayContaining(SITE_NAMES.map((name) => SITES[name].address)))
  expect(new Set(addresses).size).toBe(addresses.length)
})

it('centre A is reached through forwarded ports, and D through none', () => {
  expect(find('natA').filter).toContain('udp dport 40001 dnat to 192.168.71.2:11941;')
  expect(find('natD').filter).not.toContain('dnat to')
  expect(find('natD').filter).toContain('masquerade')
})

it('only the internet, NATs and switches pass packets on: routers do what their agent sets', () => {
  const passing = bed.filter(({ sysctls }) => sysctls.includes('net.ipv4.ip_forward=1'))
  expect(passing.map(({ name }) => name.slice(PREFIX.length + 1)).toSorted()).toEqual(['inet', 'natA', 'natD', 'swC'])
})

it('C has a second LAN and a host behind a switch', () => {
  expect(hostsOf('C').map(({ name }) => name)).toEqual(['C', 'C2', 'Cs'])
  expect(commandsOf(find('swC'))).toContain('addr add 10.13.0.2/24 dev br0')
  expect(commandsOf(find('hCs'))).toContain(`addr add ${hostAddress('Cs')}/24 dev lan`)
})

it('the other customer has the segments of A and C', () => {
  expect(SITES.X.lans[0].segment).toBe(SITES.A.lans[0].segment)
  expect(SITES.Y.lans[0].segment).toBe(SITES.C.lans[0].segment)
})

it('a prefix that could be an option or a path is refused', () => {
  for (const prefix of ['', '../a', 'a b', 'a/b', 'x'.repeat(41)]) expect(() => planBed(prefix)).toThrow('prefix')
})
