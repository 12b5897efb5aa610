import type { ClientEnv } from './management-lines.ts'

/* Refusals after which a client dials again by itself: `AUTH_FAILED,TEMP` of OpenVPN from 2.6 on. Pure. */

/** Bit of IV_PROTO (IV_PROTO_AUTH_FAIL_TEMP). A client without it would end, and show the form to its person. */
const KNOWS_TEMPORARY = 1 << 8

export const takesTemporaryFailure = (env: ClientEnv): boolean => (Number(env.get('IV_PROTO')) & KNOWS_TEMPORARY) !== 0

/** Reason of a refusal: the client waits, and goes on with its next server. Its own pause counts where that is longer. */
export const toTemporaryFailure = (sentence: string, seconds: number): string =>
  `TEMP[backoff ${seconds},advance remote]:${sentence}`

export interface Failure {
  readonly sentence: string
  /** OpenVPN dials again by itself. */
  readonly isTemporary: boolean
}

/** Reads the reason of a refusal, as OpenVPN gives it to its client. */
export function readFailure(reason: string): Failure {
  const [, sentence] = /^TEMP(?:\[[^\]]*\])?:?(.*)$/s.exec(reason) ?? []
  return { sentence: sentence ?? reason, isTemporary: sentence !== undefined }
}
