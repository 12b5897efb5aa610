import type { RouterDocument } from '#contract/device/document.ts'
import type { Slots } from '../render/slots.ts'
import type { Target } from '../render/target.ts'
import type { Failure } from '#infra/agent/config/config-machine.ts'
import { type Runner, deviceRunner } from './programs.ts'

/*
 * Interface of the tools of the driver `linux`. The driver converges: it observes what each tool runs, plans the steps from
 * there to what the document wants, and runs them. So a start after a crash, a repeated document and the return to the
 * confirmed one are the same call.
 */

/** Order of the steps of one apply over all tools. */
export const PHASES = [
  'place', // network namespace
  'filter', // packet filter
  'rules', // policy rules, static LAN routes, sysctls
  'leave', // BGP neighbours that go
  'stop', // processes and peers that go
  'servers', // processes that answer
  'clients', // processes that dial
  'daemons', // daemons of routing, which start while tunnels connect
  'move', // interfaces into the namespace
  'join', // the rest of the routing configuration
  'resolve', // DNS of the LAN
  'rates',
] as const
export type Phase = (typeof PHASES)[number]

/** A step of a plan, in plain data: a test compares plans, and the log names them. */
export interface Step {
  readonly phase: Phase
  /** Networks that the step belongs to; empty: the device. */
  readonly networks: readonly string[]
  /** Interface names of the tunnels that reconnect by it. */
  readonly reconnects: readonly string[]
}

/** Namespace that a tool works in, and the suffix of the rendered files that belong to it. */
export interface Inside {
  readonly runner: Runner
  readonly suffix: string
}

export const ON_DEVICE: Inside = { runner: deviceRunner, suffix: '' }

/** A document with its rendered files by path, from which each tool derives its part. */
export interface Rendering {
  readonly document: RouterDocument
  /** Numbers in the names of interfaces: `listNetworks(document, slots)` lists the tunnels. */
  readonly slots: Slots
  readonly target: Target
  readonly files: ReadonlyMap<string, string>
}

/**
 * One tool. `Wanted` is its part of a document and `Observed` the state of the device, both plain data. `wanted`, `settled`
 * and `plan` are pure.
 */
export interface Tool<Wanted, Observed, OwnStep extends Step> {
  readonly name: string
  /** Part of a rendering; null: of a device without a document. */
  wanted(rendering: Rendering | null): Wanted
  /** State that `observe` finds once the part runs: `plan(settled(w), w)` is empty. */
  settled(wanted: Wanted): Observed
  plan(observed: Observed, wanted: Wanted): readonly OwnStep[]
  /** Refuses a part that the tool or the device cannot run; touches nothing that runs. */
  validate(wanted: Wanted): Promise<Failure | null>
  observe(): Promise<Observed>
  /** Throws if the device is not as the step wants it. */
  run(step: OwnStep, wanted: Wanted): Promise<void>
  /** Called before the steps of each apply: keeps running, by itself, the processes of this part alone. */
  supervise?(wanted: Wanted): void
}
