import * as z from 'zod'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { parseNetDev } from '#infra/agent/machine/linux.ts'
import { SHAPER_HANDLE } from '#infra/agent/drivers/render/bandwidth.ts'
import { requireProgram, runProgram, toLog } from '../programs.ts'
import { networksOf } from '../slot-networks.ts'
import { type Inside, ON_DEVICE, type Rendering, type Step, type Tool } from '../tool.ts'

/* Tool tc: rates of interfaces. Only queues with our handle are changed or removed. */

const LINE = /^qdisc replace dev (\S+) root handle \S+ tbf rate ([\d.]+)mbit /
const BYTES_PER_MBIT = 125_000

interface Rate {
  readonly bytesPerSecond: number
  /** Arguments of tc that set it. */
  readonly args: readonly string[]
  readonly networks: readonly string[]
}

/** Rates by interface. */
export interface TcWanted {
  readonly rates: ReadonlyMap<string, Rate>
}

export interface TcObserved {
  readonly interfaces: readonly string[]
  /** Bytes per second by interface, of our queues. */
  readonly rates: ReadonlyMap<string, number>
}

export interface TcStep extends Step {
  readonly args: readonly string[]
}

function toWanted(rendering: Rendering | null, suffix: string): TcWanted {
  const lines = [`tc/netloom${suffix}.tc`, 'tc/bandwidth.tc'].flatMap(
    (file) => rendering?.files.get(file)?.split('\n') ?? [],
  )
  const rates = lines.flatMap((line) => {
    const [, name, mbit] = LINE.exec(line) ?? []
    if (name === undefined) return []
    const networks = networksOf(name, rendering?.slots ?? new Map())
    return [[name, { bytesPerSecond: Number(mbit) * BYTES_PER_MBIT, args: line.split(' '), networks }] as const]
  })
  return { rates: new Map(rates) }
}

/** An interface that is not there yet gets its rate by a later plan: that of a client appears with its connection. */
function planTc({ interfaces, rates: before }: TcObserved, { rates }: TcWanted): readonly TcStep[] {
  const step = { phase: 'rates', reconnects: [] } as const
  const changed = [...rates].filter(([name, { bytesPerSecond }]) => {
    const current = before.get(name)
    return interfaces.includes(name) && (current === undefined || Math.abs(current - bytesPerSecond) > 1) // rounded
  })
  const lifted = [...before.keys()].filter((name) => !rates.has(name))
  return [
    ...changed.map(([, { args, networks }]) => ({ ...step, networks, args })),
    ...lifted.map((name) => ({ ...step, networks: [], args: ['qdisc', 'del', 'dev', name, 'root'] })),
  ]
}

const listing = z.array(
  z.object({
    kind: z.string(),
    handle: z.string(),
    dev: z.string(),
    options: z.object({ rate: z.number().optional() }).optional(),
  }),
)

/** Rates of our queues in the form of `tc -j qdisc show`. */
function parseQueues(text: string): ReadonlyMap<string, number> {
  const own = listing.parse(JSON.parse(text || '[]')).filter(({ handle }) => handle === SHAPER_HANDLE)
  return new Map(own.map(({ dev, options }) => [dev, options?.rate ?? 0]))
}

/** Sets each rate at the loopback of a namespace of its own. */
async function validate({ rates }: TcWanted): Promise<Failure | null> {
  if (rates.size === 0) return null
  const tc = await requireProgram('tc')
  for (const { args } of rates.values()) {
    const trial = args.map((arg, index) => (args[index - 1] === 'dev' ? 'lo' : arg))
    const { code, stderr } = await runProgram('unshare', ['--net', '--', tc, ...trial])
    if (code !== 0) return { ...checkFailure('本设备不支持限速'), log: toLog(stderr) }
  }
  return null
}

export const tcTool = ({ runner, suffix }: Inside = ON_DEVICE): Tool<TcWanted, TcObserved, TcStep> => ({
  name: 'tc',
  wanted: (rendering) => toWanted(rendering, suffix),
  settled: ({ rates }) => ({
    interfaces: [...rates.keys()],
    rates: new Map([...rates].map(([name, { bytesPerSecond }]) => [name, bytesPerSecond])),
  }),
  plan: planTc,
  validate,

  observe: async () => ({
    interfaces: Object.keys(parseNetDev(await runner.readInterfaces())),
    rates: parseQueues(await runner.output('tc', ['-j', 'qdisc', 'show'])),
  }),

  /** The interface may have gone with its process since the plan. */
  async run({ args }) {
    const { code, stderr } = await runner.run('tc', args)
    const name = args[args.indexOf('dev') + 1] ?? ''
    if (code !== 0 && name in parseNetDev(await runner.readInterfaces()))
      throw new Error(`tc ${args.join(' ')}: ${stderr.trim() || `exit code ${code}`}`)
  },
})
