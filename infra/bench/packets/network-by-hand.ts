import type { Lab } from '#infra/lab/lab.ts'
import { ALL as ROUTERS } from '#tests/lab/unmoved.ts'
import { handMade, switchOff } from './bench-lab.ts'
import { type HandMadeRouter, prepareKernel, startRouting, startTunnels, untilReady } from './by-hand.ts'

/* The four routers by hand: the same files and programs, started in the right order. */

/** Switches all routers off, and answers what their agents have rendered. */
export async function switchAllOff(lab: Lab): Promise<readonly HandMadeRouter[]> {
  const routers = ROUTERS.map((site) => handMade(lab, site))
  for (const site of ROUTERS) await switchOff(lab, site)
  return routers
}

/** Kernels first, then servers, then the tunnels that dial them, then routing; each at all routers at the same time. */
export async function startByHand({ bed }: Lab, routers: readonly HandMadeRouter[]): Promise<void> {
  const isServer = (device: string) => /^ov\d+[rs]$/.test(device)
  await Promise.all(routers.map((router) => prepareKernel(bed, router)))
  await untilReady(routers.flatMap((router) => startTunnels(bed, router, isServer)))
  await untilReady(routers.flatMap((router) => startTunnels(bed, router, (device) => !isServer(device))))
  await Promise.all(routers.map((router) => startRouting(bed, router)))
}
