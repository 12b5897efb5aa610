import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import type { awaitedCenters } from '#domain/network/compile/reconnects.ts'
import type { readRouter } from './database.ts'
import { type RouterState, loadDocument } from './state/storage.ts'

/* Hold of a point's document until the centres at the other ends of its new tunnels run theirs. */

export type AwaitedCenters = ReturnType<typeof awaitedCenters>
export type ReadRouter = NonNullable<Awaited<ReturnType<typeof readRouter>>>

export const NO_CENTERS: AwaitedCenters = new Map()

/** The stored document; null for one that is held, because the device runs an earlier one. */
export function releasedDocument(
  storage: Parameters<typeof loadDocument>[0],
  { config }: Pick<RouterState, 'config'>,
): RouterDocument | null {
  const stored = config.heldUntil === null ? loadDocument(storage) : null
  return stored && routerDocument.parse(stored)
}

/** Asks the hub of each network; false also without an answer: the alarm then pushes at the end of the hold. */
export async function areCentersReady(
  hubs: Hubs,
  { event, revisions }: Pick<ReadRouter, 'event' | 'revisions'>,
  awaited: AwaitedCenters,
): Promise<boolean> {
  const asked = event.router.networks.flatMap(({ hub, number }) => {
    const [centers, revision] = [awaited.get(number), revisions.get(number)]
    return centers && revision !== undefined ? [hubs.network(hub).centersApplied({ centers, revision })] : []
  })
  const answers = await Promise.allSettled(asked)
  return answers.every((answer) => answer.status === 'fulfilled' && answer.value)
}
