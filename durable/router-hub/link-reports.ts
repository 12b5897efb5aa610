import type { AgentFrame } from '../../worker/contract/protocol.ts'
import { Throttle } from '../async.ts'
import { linkIdsOf } from './database.ts'
import { type RouterState, loadDocument, saveLinks } from './storage.ts'

const SAVE_MS = 1_000

/** What the device may report about links: only those of its document, stored at most once a second. */
export class LinkReports {
  /** Ids of the stored document; null until they are needed. */
  private ids: ReadonlySet<string> | null = null
  private readonly storage: DurableObjectStorage
  private readonly saves: Throttle

  constructor(storage: DurableObjectStorage, state: () => RouterState) {
    this.storage = storage
    // A hub that was emptied meanwhile has no links.
    this.saves = new Throttle(() => state().router && saveLinks(storage, state().links), SAVE_MS)
  }

  /** Drops reports of unknown links: ids are the device's own words, and would fill the hub. */
  filter<F extends AgentFrame>(frame: F): F {
    if (frame.t !== 'links') return frame
    const ids = (this.ids ??= linkIdsOf(loadDocument(this.storage)))
    return { ...frame, links: frame.links.filter(({ id }) => ids.has(id)) }
  }

  onDocument(ids: ReadonlySet<string> | null): void {
    this.ids = ids
  }

  save(): void {
    this.saves.trigger()
  }
}
