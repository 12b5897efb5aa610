import { safeWords } from '#domain/outbound/safe-words.ts'
import { Refusal } from '#contract/kernel/errors.ts'

/**
 * Cause of a failed delivery: the provider or its settings, so that the next one fails too; this recipient alone;
 * or a missing sender or template, so that other hosts and purposes go on.
 */
export type FaultOf = 'provider' | 'recipient' | 'sender'

interface Failure {
  readonly of: FaultOf
  /** A later try may succeed. */
  readonly isRetryable: boolean
  /** The vendor's own. */
  readonly code: string
  readonly words: string
}

/** A mail or SMS that was not accepted. Its message may be shown to the operator: it holds neither secrets nor addresses. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly of: FaultOf
  readonly isRetryable: boolean
  readonly code: string
  readonly words: string
  constructor({ of, isRetryable, code, words }: Failure, secrets: readonly string[] = []) {
    const safe = safeWords(words, secrets)
    super(`${code}: ${safe}`)
    this.of = of
    this.isRetryable = isRetryable
    this.code = code
    this.words = safe
  }
}

/** A host or a purpose that MAIL_SENDERS or SMS_SENDERS leaves out. */
export const noSender = (words: string): DeliveryError =>
  new DeliveryError({ of: 'sender', isRetryable: false, code: 'CONFIG', words })

/** A setting of the deployment that is missing or wrong: its name, never its value. */
export const misconfigured = (words: string): DeliveryError =>
  new DeliveryError({ of: 'provider', isRetryable: false, code: 'CONFIG', words })

/** Runs a call of a provider: a time-out, a lost connection or an answer nobody can read becomes a failure of the provider. */
export async function toDeliveryError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof DeliveryError) throw error
    const [code, words] =
      error instanceof Refusal ? [error.violation.key, error.message] : ['REPLY', 'the reply could not be read']
    throw new DeliveryError({ of: 'provider', isRetryable: true, code, words })
  }
}
