import { describe, expect, it } from 'vitest'
import { encodeInput } from '#lib/call/encode-input.ts'
import { nestFields } from '#http/form-body.ts'

const input = { name: '总部 & 分支', prefix: [{ ip: '10.0.0.0', mask: 24 }, { ip: '10.1.0.0' }], dns: ['1.1.1.1'] }

describe('an input on its way', () => {
  it('goes as query, without what is absent', () => {
    expect(encodeInput({ method: 'GET' }, { page: 2, search: undefined, state: null })).toEqual({ query: '?page=2' })
    expect(encodeInput({ method: 'GET' }, {})).toEqual({ query: '' })
  })
  it('goes as JSON', () => {
    expect(encodeInput({ method: 'POST' }, input)).toEqual({
      query: '',
      body: JSON.stringify(input),
      contentType: 'application/json',
    })
  })
  it('goes as a form with bracket names, which the server reads back', () => {
    const { body } = encodeInput({ method: 'POST', body: ['form', 'json'] }, input)
    expect(decodeURIComponent(String(body))).toContain('prefix[0][ip]=10.0.0.0&prefix[0][mask]=24&prefix[1][ip]=')
    expect(nestFields(Object.fromEntries(body as URLSearchParams))).toEqual({
      ...input,
      prefix: [{ ip: '10.0.0.0', mask: '24' }, { ip: '10.1.0.0' }],
    })
  })
  it('goes as multipart with its files', () => {
    const file = new File(['x'], 'a.xlsx')
    const { body, contentType } = encodeInput({ method: 'POST', body: 'multipart' }, { note: 'n', files: [file] })
    expect([...(body as FormData)]).toEqual([
      ['note', 'n'],
      ['files[0]', file],
    ])
    expect(contentType).toBeUndefined() // fetch adds the boundary
  })
  it('takes a file in nothing but multipart', () => {
    expect(() => encodeInput({ method: 'POST', body: 'form' }, { file: new File([], 'a') })).toThrow('multipart')
  })
})
