import { findNonce } from './find-nonce.ts'

/* Web Worker of the proof of work: answers a challenge with its nonce. */

addEventListener('message', ({ data }: MessageEvent<{ challenge: string; bits: number }>) =>
  postMessage(findNonce(data.challenge, data.bits)),
)
