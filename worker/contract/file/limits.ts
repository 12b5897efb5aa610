/** Limits of kept files: life of a signed address, and how long an upload waits for something to hold it. */
export const FILE = { addressMinutes: 10, unattachedHours: 24 } as const
