/** First page of one log. */
export interface RowsRead {
  readonly table: string
  readonly rows: number
  readonly read: number
  readonly count: number
  readonly tookMs: number
}

/** One export. */
export interface Taken {
  readonly cpuMs: number
  /** Heap and buffers, at most. */
  readonly peakMiB: number
  readonly beforeMiB: number
}
