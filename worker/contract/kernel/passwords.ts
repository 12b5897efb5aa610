/* Interface of the hash pool for passwords. */

/** Client of a hash. The pool is fair between sources and computes one hash per account and second. */
export interface HashClient {
  /** Account. For a visitor it is name and address block of the sign-in, so that strangers do not delay the owner. */
  readonly account: string
  /** Person who is signed in, or an address block. */
  readonly source: string
  /** True for a sign-in. All sign-ins together get at most half of the pool. */
  readonly isAnonymous: boolean
  /** True for a request that nobody waits for. It starts only if no other request can start. */
  readonly isBackground?: true
}

/** Work of one place in the hash queue. */
export interface HashTask {
  /** Password to compare with a stored hash; null for an unknown name, which takes the same time. */
  readonly check?: { readonly password: string; readonly stored: string | null }
  /** Password to hash after the comparison, unless the outcome differs from `ifRight` (default true). */
  readonly hash?: { readonly password: string; readonly ifRight?: boolean }
}

export interface HashResult {
  readonly isRight: boolean
  /** New hash; null if nothing was hashed. */
  readonly hash: string | null
}

/** Hashing of passwords outside the serving thread. Refuses with HASHING_BUSY if the queue is too long. */
export interface Passwords {
  run(client: HashClient, task: HashTask): Promise<HashResult>
}

/** Object of the pool. With `retryAfter` (seconds) nothing was hashed. */
export interface HashPoolRpc {
  run(client: HashClient, task: HashTask): Promise<HashResult | { readonly retryAfter: number }>
}
