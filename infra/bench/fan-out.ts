import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MqttClient, connectAsync } from 'mqtt'
import { WebSocket } from 'ws'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import { signIn } from '#infra/demo/load.ts'
import { installPackages } from '#infra/local/network-tools.ts'
import { isExecutable } from '#infra/local/processes.ts'
import { openDevice, openViewer, opened } from './live-clients.ts'
import { type Finding, inRounds, print } from './report.ts'
import { type Stack, cpuSeconds, end } from './stack.ts'

/* Bench of fan-out: traffic samples to 200 viewers by processor second of a hub, of a ws server and of Mosquitto. */

const VIEWERS = 200
const INTERFACES = Array.from({ length: 32 }, (_, i) => `eth${i}`)
const TICK_MS = 600 // a hub sends no more than two frames a second
const TICKS = 60 // of a round, in which a hub takes a third of a second
/** Wait after the start: for half a minute alarms of the demo's hubs are due. */
const REST_MS = 30_000
const MOSQUITTO = '/usr/sbin/mosquitto'
const MQTT_PORT = 18_840
const BUDGET = 2

/** Server with 200 viewers and a publisher. */
interface FanOut {
  readonly name: string
  readonly pid: number
  tick(): void
  samples(): number
  close(): Promise<void>
}

export async function benchFanOut(stack: Stack): Promise<readonly Finding[]> {
  await sleep(REST_MS)
  const mosquitto = await openMosquitto()
  const peers = [await openWs(), ...(mosquitto ? [mosquitto] : [])]
  const hub = await openHub(stack)
  const unit = 'samples/CPU-s'
  const findings = await inRounds(async () => {
    const [ours = 0, ...theirs] = await Promise.all([hub, ...peers].map(measure))
    const ratio = (value: number) => ({ value, unit: '', budget: BUDGET, must: 'reach' as const })
    return [
      { what: `${hub.name}: a frame every two seconds`, value: ours, unit },
      ...theirs.flatMap((value, i): Finding[] => [
        { what: `${peers[i]?.name}: a message an interface`, value, unit },
        { what: `ratio to ${peers[i]?.name}`, ...ratio(ours / value) },
      ]),
    ]
  })
  for (const server of [hub, ...peers]) await server.close()
  const skipped = mosquitto === null ? ' (mosquitto is not installed: apt-get install mosquitto)' : ''
  const pace = `${INTERFACES.length} interfaces, ${(1000 / TICK_MS).toFixed(1)} ticks/s`
  return print(`Fan-out of one router to ${VIEWERS} viewers, ${pace}${skipped}`, findings)
}

/** Publishes for a while and divides the number of arrived samples by the processor time of the server. */
async function measure({ pid, tick, samples }: FanOut): Promise<number> {
  const ticks = async (count: number) => {
    for (let i = 0; i < count; i++) {
      tick()
      await sleep(TICK_MS)
    }
  }
  await ticks(2) // warm-up
  const before = { samples: samples(), cpu: cpuSeconds(pid) }
  await ticks(TICKS)
  return (samples() - before.samples) / (cpuSeconds(pid) - before.cpu)
}

async function openHub(stack: Stack): Promise<FanOut> {
  const { origin, workerdPid } = stack
  const device = await openDevice(stack, 'demo02', INTERFACES)
  const tokens: string[] = [] // one session opens only so many sockets on a hub
  while (tokens.length * STREAM.socketsPerSession < VIEWERS) tokens.push(await signIn(origin, 'demo02'))
  let samples = 0
  const target = { kind: 'router', router_name: device.serial } as const
  const viewers = await inParallel((i) =>
    openViewer(origin, tokens[i % tokens.length] ?? '', target, (_, frame) => {
      if (frame?.type !== 'interface') return
      for (const rates of [...(frame.earlier ?? []), frame.data]) samples += Object.keys(rates).length
    }),
  )
  return {
    name: 'RouterHub',
    pid: workerdPid,
    tick: () => device.sendCounters(),
    samples: () => samples,
    close: async () => {
      const closed = viewers.filter(({ readyState }) => readyState !== WebSocket.OPEN).length
      for (const viewer of viewers) viewer.terminate()
      device.close()
      if (closed > 0) throw new Error(`the hub closed ${closed} of ${VIEWERS} viewers`)
    },
  }
}

async function openWs(): Promise<FanOut> {
  const server = spawn(process.execPath, ['infra/bench/ws-server.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(server.stdout, 'data')) as [Buffer]
  const open = (path: string) => opened(new WebSocket(`ws://127.0.0.1:${String(port).trim()}/${path}`))
  let samples = 0
  const viewers = await inParallel(() => open(''))
  for (const viewer of viewers) viewer.on('message', () => samples++)
  const publisher = await open('publish')
  return {
    name: 'ws',
    pid: server.pid ?? 0,
    tick: () => INTERFACES.forEach((name) => publisher.send(createSample(name))),
    samples: () => samples,
    close: async () => {
      for (const socket of [...viewers, publisher]) socket.terminate()
      await end(server, 'SIGTERM')
    },
  }
}

async function openMosquitto(): Promise<FanOut | null> {
  if (!isExecutable(MOSQUITTO) && process.getuid?.() === 0) await installPackages(['mosquitto'])
  if (!isExecutable(MOSQUITTO)) return null
  const server = spawn(MOSQUITTO, ['-p', String(MQTT_PORT)], { stdio: 'ignore' })
  await sleep(500)
  let samples = 0
  const viewers = await inParallel(connectMqtt)
  for (const viewer of viewers) {
    viewer.on('message', () => samples++)
    await viewer.subscribeAsync('router/1/#', { qos: 0 })
  }
  const publisher = await connectMqtt()
  return {
    name: 'Mosquitto',
    pid: server.pid ?? 0,
    tick: () => INTERFACES.forEach((name) => publisher.publish(`router/1/${name}`, createSample(name), { qos: 0 })),
    samples: () => samples,
    close: async () => {
      for (const client of [...viewers, publisher]) await client.endAsync(true)
      await end(server, 'SIGTERM')
    },
  }
}

/** Connects without Nagle's algorithm, like the sockets of the other servers. */
async function connectMqtt(): Promise<MqttClient> {
  const client = await connectAsync(`mqtt://127.0.0.1:${MQTT_PORT}`)
  if (client.stream instanceof Socket) client.stream.setNoDelay(true)
  return client
}

/** Payload of one interface for the compared servers: the same numbers as in a frame of the hub. */
const createSample = (name: string): string =>
  JSON.stringify({ interface: name, down: 12_345_678, upload: 2_345_678, time: Date.now() })

const inParallel = <T>(open: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: VIEWERS }, (_, i) => open(i)))
