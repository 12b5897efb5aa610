import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { ERRORS, refuse } from '#contract/kernel/errors.ts'
import { list } from '#contract/kernel/list.ts'
import { uploadedFile, SHEET_RULE } from '#contract/kernel/uploads.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { onError } from '#http/errors.ts'
import { mount } from '#http/mount.ts'

const base = { summary: '' } as const
const prefix = z.array(z.object({ ip: z.string(), mask: z.coerce.number().int().min(8).max(32) })).min(1)

const api = {
  rename: write('thing/rename', 'public', {
    ...base,
    input: z.object({ name: z.string().min(1) }),
    done: 'changed',
    example: { name: 'a' },
  }),
  lists: read('thing/lists', 'public', {
    ...base,
    ...list({ row: z.object({ name: z.string() }), counts: { online: z.int() } }),
  }),
  config: read('thing/config', 'public', {
    ...base,
    output: z.object({ host: z.string() }),
    extra: { enable: z.int(), notice: z.string() },
  }),
  prefix: write('thing/prefix', 'public', {
    ...base,
    body: ['json', 'form'],
    input: z.object({ prefix }),
    output: prefix,
    example: { prefix: [{ ip: '10.0.0.0', mask: 24 }] },
  }),
  batch: write('thing/batch', 'public', {
    ...base,
    body: 'multipart',
    input: z.object({ note: z.string(), file: uploadedFile(SHEET_RULE) }),
    output: z.object({ note: z.string(), text: z.string() }),
    example: { note: '', file: { name: 'a.xlsx', size: 1, type: '', arrayBuffer: async () => new ArrayBuffer(1) } },
  }),
  small: write('thing/small', 'public', {
    ...base,
    maxBytes: 32,
    input: z.object({ text: z.string() }),
    example: { text: '' },
  }),
  export: read('thing/export', 'public', {
    ...base,
    reply: 'file',
  }),
} as const

const app = new Hono<HonoEnv>().use('*', async (c, next) => {
  c.set('requestId', 'r-1')
  c.set('ctx', { session: null } as unknown as Ctx)
  await next()
})
app.onError(onError)
let renamed = ''
mount(app, api, {
  rename: async (_ctx, { name }) => void (renamed = name),
  lists: async (_ctx, { limit }) => ({
    data: [{ name: 'a', secret: 'b' } as { name: string }],
    count: limit,
    online: 1,
    hidden: 2,
  }),
  config: async (_ctx, _input, c) =>
    c.req.header('x-refuse') === undefined
      ? { data: { host: 'h' }, enable: 1, notice: 'n' }
      : refuse('HOST_UNKNOWN', { notice: 'n', secret: 's' }),
  prefix: async (_ctx, input) => input.prefix,
  batch: async (_ctx, { note, file }) => ({ note, text: new TextDecoder().decode(await file.arrayBuffer()) }),
  small: async () => {},
  export: async () => ({ body: 'a,b', type: 'text/csv; charset=utf-8', name: "成员(1)'.csv" }),
})

const post = (path: string, body: BodyInit, type?: string) =>
  app.request(`/${path}`, { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) })
const json = (path: string, body: unknown) => post(path, JSON.stringify(body), 'application/json')
const form = (text: string) => post('thing/prefix', text, 'application/x-www-form-urlencoded')

describe('the envelope', () => {
  it('carries the sentence of `done`, and null where a use case returns nothing', async () => {
    const answer = await json('thing/rename', { name: 'b' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ code: 200, msg: '修改成功', data: null })
    expect(renamed).toBe('b')
  })
  it('carries the named fields beside data, and nothing that the contract does not name', async () => {
    const answer = await app.request('/thing/lists?limit=20')
    expect(await answer.json()).toEqual({ code: 200, msg: '', data: [{ name: 'a' }], count: 20, online: 1 })
    expect(await (await app.request('/thing/config')).json()).toMatchObject({ enable: 1, notice: 'n' })
  })
  it('of a refusal carries such fields too, from its parameters', async () => {
    const answer = await app.request('/thing/config', { headers: { 'x-refuse': '1' } })
    expect(await answer.json()).toEqual({
      code: 422,
      msg: ERRORS.HOST_UNKNOWN.msg,
      reason: 'HOST_UNKNOWN',
      data: { field: 'origin' },
      request_id: 'r-1',
      notice: 'n',
    })
  })
  it('of a refusal carries the key of its sentence', async () => {
    expect(await (await json('thing/rename', { name: '' })).json()).toEqual({
      code: 422,
      msg: '名称不能为空',
      reason: 'INPUT_INVALID',
      data: { field: 'name' },
      request_id: 'r-1',
    })
    expect(await (await post('thing/rename', '{', 'application/json')).json()).toMatchObject({
      code: 422,
      reason: 'BODY_MALFORMED',
    })
  })
})

describe('bodies', () => {
  const wanted = [
    { ip: '10.0.0.0', mask: 24 },
    { ip: '10.1.0.0', mask: 16 },
  ]
  it('form: bracket names nest, indexes give the order, numbers come as text', async () => {
    const text = 'prefix[7][ip]=10.1.0.0&prefix[7][mask]=16&prefix[2][ip]=10.0.0.0&prefix[2][mask]=24'
    expect(await (await form(text)).json()).toMatchObject({ code: 200, data: wanted })
    expect(await (await json('thing/prefix', { prefix: wanted })).json()).toMatchObject({ code: 200, data: wanted })
  })
  it('form: a refusal names the nested field', async () => {
    expect(await (await form('prefix[0][ip]=10.0.0.0&prefix[0][mask]=33')).json()).toMatchObject({
      code: 422,
      data: { field: 'prefix.0.mask' },
    })
  })
  it.each([
    ['a prototype', 'prefix[__proto__][ip]=1'],
    ['a constructor', 'constructor[prototype][x]=1'],
    ['a value that is also a parent', 'prefix=1&prefix[0]=2'],
    ['broken brackets', 'prefix[0=1'],
    ['more levels than any form has', `prefix${'[a]'.repeat(9)}=1`],
    ['more fields than any form has', Array.from({ length: 2_001 }, (_, i) => `f${i}=1`).join('&')],
  ])('form: %s is refused', async (_, text) => {
    expect(await (await form(text)).json()).toMatchObject({ code: 422, reason: 'BODY_MALFORMED' })
    expect(({} as Record<string, unknown>)['ip']).toBeUndefined()
  })
  it('form: an endpoint that does not take one reads nothing of it', async () => {
    const answer = await post('thing/rename', 'name=b', 'application/x-www-form-urlencoded')
    expect(await answer.json()).toMatchObject({ code: 422, msg: '名称不能为空' })
  })
  it('multipart: a file with its rules', async () => {
    const body = new FormData()
    body.append('note', 'n')
    body.append('file', new File(['rows'], 'members.xlsx'))
    expect(await (await post('thing/batch', body)).json()).toMatchObject({ data: { note: 'n', text: 'rows' } })
    body.set('file', new File(['rows'], 'members.exe'))
    expect(await (await post('thing/batch', body)).json()).toMatchObject({ code: 422, msg: SHEET_RULE.wrongType })
    body.set('file', 'no file')
    expect(await (await post('thing/batch', body)).json()).toMatchObject({ code: 422, msg: '请上传文件' })
  })
  it.each([
    ['of a declared length', JSON.stringify({ text: 'x'.repeat(64) })],
    ['as a stream', new Blob([JSON.stringify({ text: 'x'.repeat(64) })]).stream()],
  ])('over the endpoint’s own limit, %s, is 413 with the envelope', async (_, body) => {
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } }
    const answer = await app.request('/thing/small', init as RequestInit)
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ code: 413, reason: 'BODY_TOO_LARGE', msg: ERRORS.BODY_TOO_LARGE.msg })
  })
})

describe('a file as answer', () => {
  it('has its name in UTF-8 and may not run as a page', async () => {
    const answer = await app.request('/thing/export')
    expect(await answer.text()).toBe('a,b')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''%E6%88%90%E5%91%98%281%29%27.csv",
    )
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  })
})

describe('types', () => {
  const pair = { rename: api.rename, small: api.small }
  const handler = async () => {}
  it('a missing, a surplus and a wrong handler do not compile', () => {
    const mounting = () => {
      // @ts-expect-error -- `small` is missing
      mount(new Hono<HonoEnv>(), pair, { rename: handler })
      // @ts-expect-error -- `more` is not in the contract
      mount(new Hono<HonoEnv>(), pair, { rename: handler, small: handler, more: handler })
      // @ts-expect-error -- a list answers `{ data, count }`
      mount(new Hono<HonoEnv>(), { lists: api.lists }, { lists: async () => [] })
      // @ts-expect-error -- an example is a valid input
      write('thing/rename', 'public', { ...base, input: z.object({ name: z.string() }), example: { name: 1 } })
    }
    expect(mounting).not.toThrow()
  })
})
