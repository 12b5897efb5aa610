import { findNonce } from './find-nonce.ts'

addEventListener('message', ({ data }: MessageEvent<{ challenge: string; bits: number }>) =>
  postMessage(findNonce(data.challenge, data.bits)),
)
