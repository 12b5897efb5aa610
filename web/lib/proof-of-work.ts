const BATCH = 256 // digests per batch; the event loop runs between batches

/** Finds the nonce that gives SHA-256(`challenge.nonce`) the asked number of leading zero bits. */
export async function solveChallenge(challenge: string, difficultyBits: number): Promise<string> {
  const encoder = new TextEncoder()
  for (let first = 0; ; first += BATCH) {
    const digests = await Promise.all(
      Array.from({ length: BATCH }, (_, i) =>
        crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${first + i}`)),
      ),
    )
    const found = digests.findIndex((digest) => hasZeroBits(digest, difficultyBits))
    if (found !== -1) return String(first + found)
  }
}

function hasZeroBits(digest: ArrayBuffer, bits: number): boolean {
  const view = new DataView(digest)
  for (let left = bits, at = 0; left > 0; left -= 32, at += 4) {
    if (Math.clz32(view.getUint32(at)) < Math.min(left, 32)) return false
  }
  return true
}
