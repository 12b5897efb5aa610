import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClaimedDevice } from '#infra/bench/account.ts'
import { type Stack, end, startStack } from '#infra/bench/stack.ts'
import type { Release } from './releases.ts'
import { SECRETS } from './secrets.ts'
import { CONTROL, type DrillState, MOVING, type RecordedCall, type RecordedUpgrade } from './state.ts'

/* The product as two releases at once over one storage, and fleets of devices of a release. */

export interface Product extends Pick<Stack, 'origin' | 'operatorToken' | 'data' | 'stop'> {
  /** Faults in the log, but for calls of an object at the moment of its move, which are repeated. */
  faults(): readonly string[]
  /** Gives the release after it that share of hubs and calls; answers the number of hubs that moved. */
  share(percent: number): Promise<number>
  /** Records from now on calls of hubs, and frames. */
  record(): Promise<void>
  state(): Promise<DrillState>
  /** Stores rows and hubs as an earlier release has left them. */
  fill(state: Pick<DrillState, 'hubs' | 'rows'>): Promise<void>
  call(call: Omit<RecordedCall, 'result'>): Promise<unknown>
  /** Address of an upgrade with that identity. */
  upgradeUrl(upgrade: RecordedUpgrade): string
}

/** @param port port to begin with; the next free one is taken. */
export async function startProduct(
  { before, after }: { readonly before: Release; readonly after: Release },
  port: number,
): Promise<Product> {
  const stack = await startStack(['tests/release/serve.ts', before.bundle, after.bundle], {
    variables: { PORT: String(port), RESTART_SPREAD_S: '4' },
  })
  const ask = async (path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${stack.origin}${CONTROL}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  return {
    origin: stack.origin,
    operatorToken: SECRETS.OPERATOR_TOKEN,
    data: stack.data,
    faults: () => stack.lines().filter((line) => /"level":"(warn|error)"/.test(line) && !line.includes(MOVING)),
    stop: () => stack.stop(),
    share: async (percent) => (await ask(`/share?percent=${percent}`)).json() as Promise<number>,
    record: async () => void (await ask('/record')),
    state: async () => (await ask('/state')).json() as Promise<DrillState>,
    fill: async (state) => void (await ask('/fill', state)),
    call: async (call) => ((await (await ask('/call', call)).json()) as { result: unknown }).result,
    upgradeUrl: (upgrade) =>
      `${stack.origin.replace('http', 'ws')}${CONTROL}/connect?to=${encodeURIComponent(JSON.stringify(upgrade))}`,
  }
}

/** Virtual devices of a release, a process of their own. */
export interface DeviceProcess {
  /** Lines of the log: time, serial and what happened. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

export function startDevices(
  { folder }: Release,
  { origin, data }: Pick<Product, 'origin' | 'data'>,
  name: string,
  devices: readonly (ClaimedDevice & { readonly lan?: readonly string[] })[],
): DeviceProcess {
  const file = join(data, `${name}.json`)
  writeFileSync(file, JSON.stringify({ server: origin, devices }))
  const script = join(folder, 'infra/simulator/main.ts')
  const child: ChildProcess = spawn(process.execPath, [script, '--fleet', file, '--state', join(data, name)], {
    cwd: folder,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let rest = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString()}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  return { lines, stop: () => end(child, 'SIGTERM') }
}
