const SHOWN_MAX = 99

/** 7, or 99+. */
export const unreadText = (count: number): string => (count > SHOWN_MAX ? `${SHOWN_MAX}+` : String(count))
