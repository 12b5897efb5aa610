import type { Rendering, Step } from '../tool.ts'
import { joinCommands, leaveCommands } from './bgp-delta.ts'
import { DAEMONS, type Daemon } from './daemons.ts'
import { type BgpConfig, EMPTY_CONFIG, parseBgpConfig } from './running-config.ts'
import { joiningSlots, leavingSlots } from './touched-networks.ts'

/* Plan of FRR: the steps from what its daemons run to a rendered configuration. */

export interface FrrWanted {
  /** Rendered configuration; null: no daemons. */
  readonly text: string | null
  readonly config: BgpConfig
  /** Network numbers by slot. */
  readonly networks: ReadonlyMap<number, string>
}

export interface FrrObserved {
  /** Daemons that run as they would be started, and answer. */
  readonly daemons: readonly Daemon[]
  /** A daemon runs, possibly one that does not answer. */
  readonly isUp: boolean
  readonly config: BgpConfig
}

export interface FrrStep extends Step {
  readonly action: 'start' | 'stop' | 'configure'
  readonly commands: readonly string[]
}

/** @param suffix suffix of the rendered file. */
export function toWanted(rendering: Rendering | null, suffix: string): FrrWanted {
  const text = rendering?.files.get(`frr/bgpd${suffix}.conf`) ?? null
  return {
    text,
    config: text === null ? EMPTY_CONFIG : parseBgpConfig(text),
    networks: new Map([...(rendering?.slots ?? [])].map(([number, { slot }]) => [slot, number])),
  }
}

export const toSettled = ({ text, config }: FrrWanted): FrrObserved => ({
  daemons: text === null ? [] : DAEMONS,
  isUp: text !== null,
  config,
})

const ofDevice = { networks: [], reconnects: [], commands: [] } as const

export function planFrr(observed: FrrObserved, wanted: FrrWanted): readonly FrrStep[] {
  const { text, config, networks } = wanted
  if (text === null) return observed.isUp ? [{ ...ofDevice, phase: 'stop', action: 'stop' }] : []
  const configure = (phase: 'leave' | 'join', commands: readonly string[], slots: readonly number[]): FrrStep[] => {
    const numbers = slots.flatMap((slot) => networks.get(slot) ?? []) // none for a network that is gone
    return commands.length === 0 ? [] : [{ phase, action: 'configure', commands, networks: numbers, reconnects: [] }]
  }
  const isComplete = DAEMONS.every((daemon) => observed.daemons.includes(daemon))
  return [
    ...configure('leave', leaveCommands(observed.config, config), leavingSlots(observed.config, config)),
    ...(isComplete ? [] : [{ ...ofDevice, phase: 'daemons', action: 'start' } as const]),
    ...configure('join', joinCommands(observed.config, config), joiningSlots(observed.config, config)),
  ]
}
