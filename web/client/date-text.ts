const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })

/** `YYYY-MM-DD` in Asia/Shanghai, as everywhere in the service. */
export const dateText = (atMs: number): string => DAY.format(atMs)
