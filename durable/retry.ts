const TRIES = 3
const WAIT_MS = 100

/**
 * Calls a hub. A stub is broken after an error, so each try takes a new one; only errors that the platform calls
 * retryable are tried again, and never an overloaded hub, which more calls would only load further.
 */
export async function callHub<S, T>(stubOf: () => S, call: (stub: S) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(stubOf())
    } catch (error) {
      if (attempt >= TRIES || !isRetryable(error)) throw error
      await new Promise((done) => setTimeout(done, Math.random() * WAIT_MS * 2 ** attempt))
    }
  }
}

function isRetryable(error: unknown): boolean {
  const { retryable = false, overloaded = false } = error as { retryable?: boolean; overloaded?: boolean }
  return retryable && !overloaded
}
