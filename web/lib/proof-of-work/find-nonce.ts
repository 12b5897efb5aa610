import { addBlock, startState, toBlocks } from './sha256.ts'

const DIGITS = 9

/**
 * The first nonce from `start` on that gives SHA-256(`challenge.nonce`) so many leading zero bits; null if none of `count`
 * does. Nonces have all the same length, so that blocks without a digit of theirs are hashed once.
 */
export function findNonce(challenge: string, bits: number, start = 0, count = Infinity): string | null {
  const prefix = `${challenge}.`
  const blocks = toBlocks(prefix + '0'.repeat(DIGITS))
  const changing = Math.floor(prefix.length / 64) * 64
  const before = startState()
  for (let at = 0; at < changing; at += 64) addBlock(before, blocks, at)

  const state = startState()
  for (let nonce = start; nonce < start + count; nonce++) {
    for (let rest = nonce, at = prefix.length + DIGITS - 1; at >= prefix.length; at--) {
      blocks.setUint8(at, 48 + (rest % 10))
      rest = Math.floor(rest / 10)
    }
    state.set(before)
    for (let at = changing; at < blocks.byteLength; at += 64) addBlock(state, blocks, at)
    if (Math.clz32(state[0] ?? 0) >= bits) return String(nonce).padStart(DIGITS, '0')
  }
  return null
}
