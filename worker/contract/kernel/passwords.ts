/** Client of a hash: the pool is fair between sources, and takes one hash of an account a second. */
export interface HashClient {
  /** Account; of a visitor the name and address block of the sign-in: strangers must not spend the owner's second. */
  readonly account: string
  /** Person who is signed in, or an address block. */
  readonly source: string
  /** True for a sign-in: they all together get half of the pool at most. */
  readonly isAnonymous: boolean
  /** True for a request that nobody waits for: it starts only where no other request may. */
  readonly isBackground?: true
}

/** Work of one place in the hash queue. */
export interface HashTask {
  /** Compare with a stored hash; null for an unknown name, which costs the same. */
  readonly check?: { readonly password: string; readonly stored: string | null }
  /** Password to hash after the comparison; skipped where its outcome is not `ifRight` (true unless given). */
  readonly hash?: { readonly password: string; readonly ifRight?: boolean }
}

export interface HashResult {
  readonly isRight: boolean
  /** New hash; null where nothing was hashed. */
  readonly hash: string | null
}

/** Hashing of passwords, off the thread that serves. Refuses with HASHING_BUSY where the queue is too long. */
export interface Passwords {
  run(client: HashClient, task: HashTask): Promise<HashResult>
}

/** One object of the pool. `retryAfter` in seconds: nothing was hashed. */
export interface HashPoolRpc {
  run(client: HashClient, task: HashTask): Promise<HashResult | { readonly retryAfter: number }>
}
