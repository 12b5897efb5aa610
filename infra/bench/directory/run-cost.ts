/** One round trip to D1, in epoch ms. */
export interface Trip {
  readonly from: number
  readonly to: number
  /** Rows with those of indexes, as D1 bills them. */
  readonly rowsWritten: number
}

/** What one alarm of a DirectoryHub cost: the run that it worked, and the next alarm. Times in epoch ms. */
export interface RunCost {
  readonly from: number
  readonly to: number
  readonly trips: readonly Trip[]
  /** Rows of the hub's own storage; each alarm that is set is one. */
  readonly ownRowsWritten: number
}

/** Paths of the metered Worker (measured/product.ts). */
export const METER = {
  /** Lets the hub's next run come due now, and answers its cost once it has ended. */
  run: '/__meter/run',
  /** Cost of the newest alarm that has ended. */
  last: '/__meter/last',
  /** `?account=`: inserts a copy of all imported members for that account, bare, and deletes it again; answers the ms it took. */
  bare: '/__meter/bare',
} as const
