import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { type Log, messageOfError } from '../log.ts'
import type { Store } from '../store.ts'
import { Prober } from './prober.ts'

const RECORD = 'probe'
const stored = z.object({ port: z.int().min(1).max(65_535) })

/** Binds the requested port, else that of the last run (peers and firewalls rely on it), else any. */
export async function openProber(asked: number, store: Store, clock: Clock, log: Log): Promise<Prober> {
  const kept = stored.safeParse(await store.load(RECORD))
  const wanted = asked || (kept.success ? kept.data.port : 0)
  let prober: Prober
  try {
    prober = await Prober.open(wanted, { clock })
  } catch (error) {
    if (asked) throw error
    log(`probe port ${wanted} is in use: taking another`)
    prober = await Prober.open(0, { clock })
  }
  if (!kept.success || kept.data.port !== prober.port) {
    await store.save(RECORD, { port: prober.port }).catch((error: unknown) => {
      log(`cannot keep the probe port: ${messageOfError(error)}`) // best effort: a full disk must not stop the agent
    })
  }
  return prober
}
