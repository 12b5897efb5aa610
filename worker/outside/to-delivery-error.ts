import { Refusal } from '#contract/kernel/errors.ts'
import { DeliveryError } from './delivery-error.ts'

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
