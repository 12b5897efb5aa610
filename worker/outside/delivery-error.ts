import { safeWords } from '#domain/outbound/safe-words.ts'
import { Refusal } from '#contract/kernel/errors.ts'

/* Errors of deliveries by mail and SMS. */

/**
 * Cause of a failed delivery. `provider`: the provider or its settings, so the next delivery fails too. `recipient`: this
 * recipient alone. `sender`: a missing sender or template of this host or purpose.
 */
export type FaultOf = 'provider' | 'recipient' | 'sender'

/** Error of a mail or SMS that was not accepted. Its message is fit for the operator: no secrets, no addresses. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly of: FaultOf
  /** A later try may succeed. */
  readonly isRetryable: boolean
  /** Error code of the vendor. */
  readonly code: string
  readonly words: string
  constructor({ of, isRetryable, code, words }: Omit<DeliveryError, keyof Error>, secrets: readonly string[] = []) {
    const safe = safeWords(words, secrets)
    super(`${code}: ${safe}`)
    this.of = of
    this.isRetryable = isRetryable
    this.code = code
    this.words = safe
  }
}

/** Fails for a host or purpose that is missing in MAIL_SENDERS or SMS_SENDERS. */
export function refuseSender(words: string): never {
  throw new DeliveryError({ of: 'sender', isRetryable: false, code: 'CONFIG', words })
}

/** Fails for a missing or wrong setting of the deployment. The words name the setting, never its value. */
export function misconfigured(words: string): never {
  throw new DeliveryError({ of: 'provider', isRetryable: false, code: 'CONFIG', words })
}

/** Calls a provider. A time-out, a lost connection or an unreadable answer becomes a failure of the provider. */
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
