import pkg from '#package.json' with { type: 'json' }
import { systemClock } from '#infra/agent/clock.ts'
import { declaredLan } from '#infra/agent/machine/declared-lan.ts'
import { linuxMachine } from '#infra/agent/machine/linux.ts'
import { VERSION as VIRTUAL_VERSION } from '#infra/simulator/fleet.ts'
import { PEAK_MBPS, virtualMachine } from '#infra/simulator/virtual-device.ts'
import type { ProvisionedDevice } from '../load.ts'
import type { PastDevice } from './routers.ts'

/* Devices of the demo as their agents on this machine will report them. */

export async function describeDevice({ serial, model, lan, runs }: ProvisionedDevice): Promise<PastDevice> {
  const isReal = runs === 'real'
  if (runs === 'none') return { serial, isReal, version: null, interfaces: [] }
  const machine = isReal
    ? await linuxMachine(lan === null ? [] : [declaredLan(`lan0=${lan}`)])
    : virtualMachine({ serial, model, lan: lan === null ? [] : [lan], peakMbps: PEAK_MBPS }, systemClock)
  return { serial, isReal, version: isReal ? pkg.version : VIRTUAL_VERSION, interfaces: await machine.interfaces() }
}
