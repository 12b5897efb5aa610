import type { SentDocument } from '#contract/device/document.ts'
import type { Dial } from './dial-reporter.ts'

/** Services of a device as a source of dials. */
export interface DialSource {
  start(report: (...dials: readonly Dial[]) => void): void
  /** Sets the document that runs now: it names who may dial in. */
  serve(document: SentDocument | null): void
  /** Ends what one member has open in a network; whether there was anything. It may dial again. */
  end(networkNumber: string, name: string): boolean
  /** Ends the dials that are open. */
  stop(): void
}
