import { dateText } from '#contract/kernel/time.ts'

/** Number of a support ticket: `T`, the day in Asia/Shanghai, six random digits. It tells nothing about other accounts. */
export const toTicketNumber = (now: number, digits: string): string => `T${dateText(now).replaceAll('-', '')}${digits}`
