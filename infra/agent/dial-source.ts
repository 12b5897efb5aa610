import type { SentDocument } from '../../worker/contract/router-document.ts'
import type { Dial } from './dial-reporter.ts'

/** What runs the services of a device, as far as dials are concerned. */
export interface DialSource {
  start(report: (...dials: readonly Dial[]) => void): void
  /** The document that runs now: who may dial in. */
  serve(document: SentDocument | null): void
  /** Ends what one member has open in a network; whether there was anything. It may dial again. */
  end(networkNumber: string, name: string): boolean
  /** Ends what is open. */
  stop(): void
}
