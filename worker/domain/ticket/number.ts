import { dateText } from '#contract/kernel/time.ts'

/** `T`, the day in Asia/Shanghai and six random digits: a number reveals nothing about other accounts. */
export const toTicketNumber = (now: number, digits: string): string => `T${dateText(now).replaceAll('-', '')}${digits}`
