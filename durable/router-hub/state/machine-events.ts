import type { DeviceIdentity } from '#contract/kernel/hubs.ts'
import type { AgentFrame, HubFrame, LinkReport } from '#contract/kernel/protocol.ts'
import type { NewCommand } from './commands.ts'
import type { LinkPeriod } from './link-log.ts'
import type { PresenceEffect } from './presence.ts'
import type { RouterFacts, RouterState } from './storage.ts'

/* Events and effects of a router's state machine (machine.ts), and the types of its parts. */

export type RouterEvent =
  | {
      readonly type: 'refreshed'
      readonly router: RouterFacts
      readonly enabled: boolean
      readonly hash: string
      readonly isEmpty: boolean
      readonly floor: number
      /** The document has new tunnels: it waits for the centres at their other ends. */
      readonly isHeld?: boolean
      readonly linkIds: ReadonlySet<string>
      /** The device's own address on links that it dials. */
      readonly linkIps?: Readonly<Record<string, string>>
      /** Commands for the device, by the rows. */
      readonly jobs?: readonly NewCommand[]
    }
  | {
      readonly type: 'accepted'
      readonly identity: DeviceIdentity
      readonly isTakeover: boolean
      readonly isResumed: boolean
    }
  /** For the welcome: time over which devices come back after a restart, the newest return ticket, and further addresses. */
  | {
      readonly type: 'frame'
      readonly frame: AgentFrame
      readonly spreadMs: number
      readonly ticket?: string | undefined
      readonly entries?: readonly string[]
    }
  | { readonly type: 'closed'; readonly epoch: number; readonly reason: string }
  | { readonly type: 'leaseChecked'; readonly lastReceivedAt: number | null }
  | { readonly type: 'due' }
  | { readonly type: 'keyReset' }
  | { readonly type: 'resend' }
  | { readonly type: 'released'; readonly version: number }
  | { readonly type: 'requested'; readonly command: NewCommand }

export type RouterEffect =
  | { readonly type: 'send'; readonly frame: HubFrame }
  /** Send the desired document. */
  | { readonly type: 'push' }
  /** Close the device's socket. */
  | { readonly type: 'drop'; readonly code: number; readonly reason: string }
  /** Presence or configuration changed: send it to the viewers. */
  | { readonly type: 'show' }
  /** Links changed: report them to the network hubs. */
  | { readonly type: 'links'; readonly links: readonly LinkReport[] }

/** Effects inside the machine: those of presence and of the link log go to the outbox. */
export type StepEffect =
  | RouterEffect
  | PresenceEffect
  | { readonly type: 'periods'; readonly periods: readonly LinkPeriod[] }

/** Further input of a part: the state before the event, and the effects of the parts before it. */
export interface StepContext {
  readonly before: RouterState
  readonly effects: readonly StepEffect[]
  readonly now: number
}

export type PartResult = readonly [state: RouterState, effects: readonly StepEffect[]]
export type StepPart = (state: RouterState, event: RouterEvent, context: StepContext) => PartResult
