/** Limits of kept files: life of a signed address, and life of an upload that nothing refers to yet. */
export const FILE = { addressMinutes: 10, unattachedHours: 24 } as const
