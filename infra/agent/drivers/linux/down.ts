import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { stdoutLog } from '#infra/agent/log.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { defaultRun } from '#infra/agent/options.ts'
import { folderStore, lockFolder } from '#infra/agent/store.ts'
import { openLinuxDevice } from './linux-device.ts'
import { denyDials } from './openvpn/admission.ts'
import { isNodeState } from './pop/node-state.ts'
import { openPopDevice } from './pop/pop-device.ts'

const identity = z.object({ serial: z.string() })

/** Takes everything of the driver off this device; no agent may run. The stored document returns with the next start. */
export async function runDown({ state, run }: { readonly state: string; readonly run: string | null }): Promise<void> {
  const log = stdoutLog(systemClock, 'down')
  const store = await folderStore(state)
  await lockFolder(state)
  const known = identity.safeParse(await store.load('identity'))
  if (run === null && !known.success) throw new Error(`${state} belongs to no device: --run is needed`)
  const shared = run ?? defaultRun(known.data?.serial ?? '')
  const open = (await isNodeState(store)) ? openPopDevice : openLinuxDevice
  const device = await open({
    state,
    run: shared,
    wan: [],
    lan: [],
    probePort: 0,
    store,
    log,
    clock: systemClock,
    authorizeDial: denyDials,
  })
  try {
    await (await device.driver.stage(null)).apply()
    await rm(shared, { recursive: true, force: true })
    log('tunnels, routes, rules and filters are off')
  } finally {
    device.close()
  }
}
