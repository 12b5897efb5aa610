import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { parseNetDev } from '#infra/agent/machine/linux.ts'
import { TUNNEL_MTU, TUNNEL_QUEUE } from '#infra/agent/drivers/render/openvpn.ts'
import { type Tunnel, isUnnumbered, listNetworks } from '#infra/agent/drivers/render/tunnels.ts'
import { outputOf } from '../programs.ts'
import type { Rendering, Step, Tool } from '../tool.ts'
import type { NetworkNamespace } from './network-namespace.ts'
import type { ProbeSocket } from './probe-socket.ts'

/* Tool of a network's namespace on a node: makes it, and moves the interfaces of its tunnels into it with their addresses. */

/** Settings of the kernel in the namespace, with their files. */
const SETTINGS = [
  [1, ['/proc/sys/net/ipv4/ip_forward']],
  [2, ['all', 'default'].map((name) => `/proc/sys/net/ipv4/conf/${name}/rp_filter`)], // packets may return by another tunnel
  [1, ['/proc/sys/net/ipv4/conf/default/proxy_arp_pvlan']], // moved interfaces answer ARP for members (ip/sysctls.ts)
] as const
/** A kernel may lack it. */
const MULTIPATH = '/proc/sys/net/ipv4/fib_multipath_hash_policy'

/** Addresses as `ip` takes them, by interface. */
type Addresses = ReadonlyMap<string, string>

export interface NamespaceWanted {
  readonly network: string
  readonly addresses: Addresses
}

export interface NamespaceObserved {
  /** False without the namespace, where its settings are others, or its probes are not answered yet. */
  readonly isReady: boolean
  readonly isThere: boolean
  /** Tunnel interfaces of this network that are in the namespace of the device. */
  readonly outside: readonly string[]
  /** Interfaces in the namespace that are up with the size of tunnels, and their addresses in one text. */
  readonly inside: Addresses
}

export interface NamespaceStep extends Step {
  readonly action: 'make' | 'move' | 'remove'
  /** Interface that is moved. */
  readonly device: string
}

function toWanted(rendering: Rendering | null): NamespaceWanted | null {
  const [network] = rendering === null ? [] : listNetworks(rendering.document, rendering.slots)
  if (!network) return null
  const addresses = network.tunnels.map((tunnel) => [tunnel.device, addressOf(tunnel)] as const)
  return { network: network.network.network_number, addresses: new Map(addresses) }
}

function addressOf(tunnel: Tunnel): string {
  if ('server' in tunnel) return `${tunnel.server.ip}/${tunnel.server.mask}`
  const { local_ip: own, remote_ip: peer, mask } = tunnel.link
  return isUnnumbered(tunnel.link) ? `${own} peer ${peer}/32` : `${own}/${mask}`
}

const toSettled = (wanted: NamespaceWanted | null): NamespaceObserved => ({
  isReady: wanted !== null,
  isThere: wanted !== null,
  outside: [],
  inside: wanted?.addresses ?? new Map(),
})

/** An interface that does not exist yet is moved by a later plan: that of a client appears with its connection. */
export function planNamespace(
  { isReady, isThere, outside, inside }: NamespaceObserved,
  wanted: NamespaceWanted | null,
): readonly NamespaceStep[] {
  const step = { networks: [], reconnects: [], device: '' } as const
  if (wanted === null) return isThere ? [{ ...step, phase: 'rates', action: 'remove' }] : []
  const made: NamespaceStep[] = isReady ? [] : [{ ...step, phase: 'place', action: 'make' }]
  if (!isThere) return made // the processes of an earlier one end with it
  const moved = [...wanted.addresses].filter(
    ([device, address]) => outside.includes(device) || (inside.has(device) && inside.get(device) !== address),
  )
  return [
    ...made,
    ...moved.map(([device]): NamespaceStep => {
      return { ...step, phase: 'move', action: 'move', networks: [wanted.network], device }
    }),
  ]
}

const listing = z.array(
  z.looseObject({
    ifname: z.string(),
    flags: z.array(z.string()),
    mtu: z.int(),
    addr_info: z
      .array(
        z.looseObject({
          family: z.string(),
          local: z.string().default(''),
          address: z.string().optional(),
          prefixlen: z.int(),
        }),
      )
      .default([]),
  }),
)

/** Tunnel interfaces in the form of `ip -j addr show`; an interface that is not set up has no address here. */
export function parseInside(text: string): Addresses {
  const tunnels = listing.parse(JSON.parse(text || '[]')).filter(({ ifname }) => ifname.startsWith('ov'))
  return new Map(
    tunnels.map(({ ifname, flags, mtu, addr_info: known }) => {
      const addresses = known
        .filter(({ family }) => family === 'inet')
        .map(
          ({ local, address, prefixlen }) => `${local}${address === undefined ? '' : ` peer ${address}`}/${prefixlen}`,
        )
      return [ifname, flags.includes('UP') && mtu === TUNNEL_MTU ? addresses.join(', ') : '']
    }),
  )
}

export function namespaceTool(
  slot: number,
  namespace: NetworkNamespace,
  probes: ProbeSocket,
): Tool<NamespaceWanted | null, NamespaceObserved, NamespaceStep> {
  const { runner } = namespace

  async function readReady(): Promise<boolean> {
    const paths = SETTINGS.flatMap(([, files]) => files)
    const wanted = SETTINGS.flatMap(([value, files]) => files.map(() => `${value}\n`)).join('')
    return (await runner.run('cat', paths)).stdout === wanted && probes.isOpenIn(namespace.identity ?? '')
  }

  async function make(): Promise<void> {
    if (namespace.file === null) await namespace.make()
    for (const [value, files] of SETTINGS) await runner.output('tee', files, `${value}\n`)
    await runner.run('tee', [MULTIPATH], { input: '1\n' })
    await runner.output('ip', ['link', 'set', 'lo', 'up'])
    const { identity } = namespace
    if (identity !== null && !probes.isOpenIn(identity)) await probes.open(identity, namespace.requireFile())
  }

  const readOutside = async (): Promise<string[]> =>
    Object.keys(parseNetDev(await readFile('/proc/net/dev', 'utf8'))).filter((name) =>
      new RegExp(`^ov${slot}[rscx]\\d*$`).test(name),
    )

  async function move(device: string, address: string): Promise<void> {
    if ((await readOutside()).includes(device))
      await outputOf('ip', ['link', 'set', 'dev', device, 'netns', namespace.requireFile()])
    const lines = [
      `addr flush dev ${device}`,
      `addr add ${address} dev ${device}`,
      `link set dev ${device} mtu ${TUNNEL_MTU} txqueuelen ${TUNNEL_QUEUE} up`,
    ]
    await runner.output('ip', ['-batch', '-'], `${lines.join('\n')}\n`)
  }

  /** The interface may have gone with its process since the plan. */
  const hasGone = async (device: string): Promise<boolean> =>
    !(await readOutside()).includes(device) && !(device in parseNetDev(await runner.readInterfaces()))

  return {
    name: 'namespace',
    wanted: toWanted,
    settled: toSettled,
    plan: planNamespace,
    validate: async () => null,

    async observe() {
      const outside = await readOutside()
      if (namespace.file === null) return { isReady: false, isThere: false, outside, inside: new Map() }
      const [isReady, inside] = await Promise.all([
        readReady(),
        runner.output('ip', ['-j', 'addr', 'show']).then(parseInside),
      ])
      return { isReady, isThere: true, outside, inside }
    },

    async run({ action, device }, wanted) {
      if (action === 'make') return make()
      if (action === 'remove') {
        probes.close()
        return namespace.release()
      }
      try {
        await move(device, wanted?.addresses.get(device) ?? '')
      } catch (error) {
        if (!(await hasGone(device))) throw error
      }
    },
  }
}

/** A tool that works in the namespace: without it nothing of the tool is there. */
export const inNamespace = <Wanted, Observed, OwnStep extends Step>(
  tool: Tool<Wanted, Observed, OwnStep>,
  namespace: Pick<NetworkNamespace, 'file'>,
): Tool<Wanted, Observed, OwnStep> => ({
  ...tool,
  observe: async () => (namespace.file === null ? tool.settled(tool.wanted(null)) : tool.observe()),
})
