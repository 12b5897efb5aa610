/* Search for the nonce of a proof of work, with a synchronous SHA-256. */

const DIGITS = 9

/**
 * The first nonce from `start` on that gives SHA-256(`challenge.nonce`) the leading zero `bits`; null if none of `count`
 * does. All nonces have the same length, so that blocks without their digits are hashed once.
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

const ROUND = new Int32Array(64)
const START = new Int32Array(8)

/**
 * Fills the constants of SHA-256: 32 fractional bits of roots of the first primes, square for the start, cube for the
 * rounds.
 */
function fillConstants(): void {
  const toWord = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0
  for (let candidate = 2, n = 0; n < 64; candidate++) {
    let isPrime = true
    for (let d = 2; d * d <= candidate; d++) isPrime &&= candidate % d !== 0
    if (!isPrime) continue
    if (n < 8) START[n] = toWord(Math.sqrt(candidate))
    ROUND[n++] = toWord(Math.cbrt(candidate))
  }
}
fillConstants()

const words = new Int32Array(64)

const startState = (): Int32Array => START.slice()

/**
 * Adds the block of 64 bytes at `at` to a state; the state after the last block is the SHA-256 result. `crypto.subtle` runs
 * each digest as a task, which takes many times longer for so short a text.
 */
function addBlock(state: Int32Array, blocks: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = blocks.getInt32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] as number
    const y = words[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (words[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
  state[4] = (state[4] as number) + e
  state[5] = (state[5] as number) + f
  state[6] = (state[6] as number) + g
  state[7] = (state[7] as number) + h
}

/** Blocks of an ASCII text with the padding of SHA-256. */
function toBlocks(text: string): DataView {
  const blocks = new DataView(new ArrayBuffer(Math.ceil((text.length + 9) / 64) * 64))
  for (let i = 0; i < text.length; i++) blocks.setUint8(i, text.charCodeAt(i))
  blocks.setUint8(text.length, 0x80)
  blocks.setUint32(blocks.byteLength - 4, text.length * 8)
  return blocks
}
