import { act } from '@testing-library/react'
import { vi } from 'vitest'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import type { LiveState } from '#lib/live/use-live.ts'

interface Listener {
  readonly onFrame: (frame: ViewerFrame) => void
  readonly onState: (state: LiveState) => void
  readonly onMissed: () => void
}
type Kind = 'router' | 'account' | 'network'

const open = new Map<Kind, Listener>()
const visible = new Map<Kind, readonly string[]>()
const watched = new Map<Kind, readonly string[]>()
let seq = 0

/** Fake of web/lib/live/live-connection.ts: the test emits the hub's frames. */
export class LiveConnection {
  private readonly kind: Kind
  constructor({ kind }: { readonly kind: Kind }, listener: Listener) {
    this.kind = kind
    open.set(kind, listener)
  }
  show(names: readonly string[]) {
    visible.set(this.kind, names)
  }
  watch(ids: readonly string[]) {
    watched.set(this.kind, ids)
  }
  stop() {
    open.delete(this.kind)
  }
}

/** Names that a page has sent last to the hub of this kind. */
export const shownTo = (kind: Kind): readonly string[] | undefined => visible.get(kind)

/** Links and trunks whose throughput a page has asked for last. */
export const watchedBy = (kind: Kind): readonly string[] | undefined => watched.get(kind)

async function listener(kind: Kind): Promise<Listener> {
  const listening = () => {
    const found = open.get(kind)
    if (found === undefined) throw new Error(`nobody listens to ${kind}`)
    return found
  }
  return vi.waitFor(listening, { timeout: 20_000 })
}

type Body = ViewerFrame extends infer F ? (F extends ViewerFrame ? Omit<F, 'code' | 'seq'> : never) : never

export async function emitFrame(kind: Kind, body: Body): Promise<void> {
  const { onFrame } = await listener(kind)
  act(() => onFrame({ code: 200, seq: ++seq, ...body } as ViewerFrame))
}

export async function setLiveState(kind: Kind, state: LiveState): Promise<void> {
  const { onState } = await listener(kind)
  act(() => onState(state))
}

export async function missFrames(kind: Kind): Promise<void> {
  const { onMissed } = await listener(kind)
  act(() => onMissed())
}
