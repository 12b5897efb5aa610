import { once } from 'node:events'
import { join } from 'node:path'
import { VPN } from '#contract/device/limits.ts'
import { Agent } from '#infra/agent/agent.ts'
import { openWebSocket } from '#infra/agent/agent-socket.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { routerKey } from '#infra/agent/keys/router-key.ts'
import { silentLog } from '#infra/agent/log.ts'
import { Prober } from '#infra/agent/probe/prober.ts'
import { folderStore } from '#infra/agent/store.ts'
import { memoryDriver, virtualMachine } from '#infra/simulator/virtual-device.ts'

/*
 * Agents of many points in one process, which runs at the host from which their tunnels are dialled. They get keys and
 * documents from the service and probe their links; their tunnels are started by hand. The plan comes as JSON on the standard
 * input.
 */

export interface PointsPlan {
  readonly server: string
  /** Folder with a state folder for each point, by its serial. */
  readonly folder: string
  readonly points: readonly { readonly serial: string; readonly code: string; readonly lan: string }[]
}

const MODEL = 'NL-R220'
const PEAK_MBPS = 1

if (import.meta.main) await startPoints(await readPlan())

async function readPlan(): Promise<PointsPlan> {
  let text = ''
  process.stdin.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(process.stdin, 'end')
  return JSON.parse(text) as PointsPlan
}

async function startPoints({ server, folder, points }: PointsPlan): Promise<void> {
  const prober = await Prober.open(0, { clock: systemClock })
  for (const { serial, code, lan } of points) {
    const state = join(folder, serial)
    await Agent.start(
      { servers: [server], serial, activationCode: heldCode(code), version: 'bench' },
      {
        clock: systemClock,
        random: Math.random,
        machine: virtualMachine({ serial, model: MODEL, lan: [lan], peakMbps: PEAK_MBPS }, systemClock),
        driver: { ...memoryDriver(), capabilities: [VPN.capability] },
        store: await folderStore(state),
        openSocket: openWebSocket,
        fetch,
        prober,
        routerKey: routerKey(join(state, 'keys', 'router.key')),
        log: silentLog,
      },
    )
  }
}
