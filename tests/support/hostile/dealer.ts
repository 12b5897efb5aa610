import { SHORT_MARKUP, LONG_MARKUP, MARKDOWN, PAYLOADS, TEMPLATES } from './payloads.ts'
import type { STORED_TEXTS } from './stored-texts.ts'

export type StoredText = (typeof STORED_TEXTS)[number]

/** Deals payloads that fit, those first that were not stored yet, and notes which fields were filled. */
export class Dealer {
  readonly filled = new Set<StoredText>()
  readonly used = new Set<string>()
  private turn = 0

  text(field: StoredText, max: number): string {
    this.filled.add(field)
    const fitting = PAYLOADS.filter((payload) => payload.length <= max && payload.trim() === payload)
    const payload = fitting.find((one) => !this.used.has(one)) ?? fitting[this.turn++ % fitting.length] ?? ''
    this.used.add(payload)
    return payload
  }

  all(field: StoredText): string {
    this.filled.add(field)
    for (const payload of PAYLOADS) this.used.add(payload)
    return [...MARKDOWN, ...LONG_MARKUP, ...SHORT_MARKUP, ...TEMPLATES].join('\n\n')
  }
}
