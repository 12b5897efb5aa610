import { describe, expect, it } from 'vitest'
import { MARKDOWN, PAYLOADS } from '#tests/support/hostile/payloads.ts'
import { STORED_TEXTS, isNotKept, listTextFields } from '#tests/support/hostile/stored-texts.ts'

describe('text that strangers write', () => {
  it('every field that takes any text is stored and shown by tests/browser/hostile-text.test.ts, or kept by nobody', () => {
    const stored: readonly string[] = STORED_TEXTS
    expect(listTextFields().filter((field) => !stored.includes(field) && !isNotKept(field))).toEqual([])
  })
  it('no field is listed that is none', () => {
    const fields = listTextFields()
    expect(STORED_TEXTS.filter((field) => !fields.includes(field))).toEqual([])
  })
  it('sixty payloads and more', () => {
    expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(60)
    expect(new Set([...PAYLOADS, ...MARKDOWN]).size).toBe(PAYLOADS.length + MARKDOWN.length)
  })
})
