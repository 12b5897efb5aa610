import type { Started } from './api.ts'

export interface StepProps {
  readonly ticket: string
  /** Sends a form of the step; where the ticket is no longer good, the sign-in begins anew. */
  readonly run: <T>(send: () => Promise<T>) => Promise<T>
  readonly onDone: (started: Started) => void
}
