/* Solves a proof of work in a Web Worker: a nonce that gives SHA-256(`challenge.nonce`) the asked leading zero bits. */

const BATCH = 4_096 // nonces per batch, for browsers without workers; the event loop runs between batches

/** Rejects once aborted. */
export function solveChallenge(challenge: string, bits: number, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const solveHere = () => void solveInSlices(challenge, bits, signal).then(resolve, reject)
    if (typeof Worker === 'undefined') return solveHere()
    const worker = new Worker(new URL('./proof-of-work.worker.ts', import.meta.url), { type: 'module' })
    signal?.addEventListener('abort', () => {
      worker.terminate()
      reject(signal.reason)
    })
    worker.addEventListener('message', ({ data }: MessageEvent<string>) => {
      worker.terminate()
      resolve(data)
    })
    worker.addEventListener('error', solveHere) // its script could not be loaded
    worker.postMessage({ challenge, bits })
  })
}

async function solveInSlices(challenge: string, bits: number, signal?: AbortSignal): Promise<string> {
  const { findNonce } = await import('./find-nonce.ts')
  for (let start = 0; ; start += BATCH) {
    const nonce = findNonce(challenge, bits, start, BATCH)
    if (nonce !== null) return nonce
    await new Promise((next) => setTimeout(next))
    signal?.throwIfAborted()
  }
}
