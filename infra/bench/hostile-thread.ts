import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { Attack } from './hostile-device.ts'
import { type HostileTenant, createHostileTenant } from './hostile-tenant.ts'
import type { Server } from './stack.ts'

type Order = { readonly what: 'attack'; readonly attack: Attack } | { readonly what: 'end' | 'close' }

/** The hostile tenant in a thread of its own: making and masking its frames would hold up the calls that are measured. */
export async function startHostileTenant({ origin, operatorToken }: Server): Promise<HostileTenant> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { origin, operatorToken } satisfies Server })
  const order = async (given: Order): Promise<number> => {
    thread.postMessage(given)
    const [writes] = (await once(thread, 'message')) as [number]
    return writes
  }
  await once(thread, 'message')
  return {
    attack: (attack) => thread.postMessage({ what: 'attack', attack } satisfies Order),
    end: async () => void (await order({ what: 'end' })),
    close: async () => {
      const writes = await order({ what: 'close' })
      await thread.terminate()
      return writes
    },
  }
}

if (!isMainThread) {
  const tenant = await createHostileTenant(workerData as Server)
  parentPort?.on('message', async (given: Order) => {
    if (given.what === 'attack') tenant.attack(given.attack)
    else parentPort?.postMessage((await tenant[given.what]()) ?? 0)
  })
  parentPort?.postMessage(0)
}
