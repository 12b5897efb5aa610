import type { RouterDocument } from '../../../worker/contract/protocol.ts'
import type { Failure } from '../config-machine.ts'

/** A document made ready beside what runs. */
export interface Staged {
  /** Networks that differ from what runs; empty: applying would touch nothing. */
  readonly changed: readonly string[]
  /** All or nothing: throws with what ran before still in place. */
  apply(): Promise<void>
}

/** Puts documents on a device; independent of hubs, versions and trials. */
export interface Driver {
  readonly name: string
  /** Whether the device could carry a document that is sound by itself (check-document.ts); touches nothing that runs. */
  validate(document: RouterDocument): Promise<Failure | null>
  /** Null takes every network off the device. A leftover of an interrupted stage is swept away. */
  stage(document: RouterDocument | null): Promise<Staged>
}
