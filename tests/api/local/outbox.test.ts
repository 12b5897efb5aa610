import { describe, expect, it } from 'vitest'
import { verifyApi } from '#contract/verify/index.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { createTestWorker, call, request } from '#tests/support/test-worker.ts'
import { unique } from '#tests/support/fixtures.ts'

interface Item {
  kind: string
  to: string
  uniqid: string
  code: string
  subject: string
  text: string
  at: number
}

const outbox = async (query = '') => (await (await request(`/__local/outbox${query}`)).json<{ items: Item[] }>()).items

/** A captcha that was drawn, and what the outbox shows of it. */
async function readCaptcha() {
  const { uniqid } = (await call(verifyApi.code, { purpose: 'register' }, { ip: nextAddress() })).data
  return { uniqid, shown: await outbox(`?kind=captcha&uniqid=${uniqid}`) }
}

async function createMail(to: string) {
  const { uniqid, shown } = await readCaptcha()
  const [{ code = '' } = {}] = shown
  await call(verifyApi.register, { send_type: 'email', send_value: to, img_code: code, uniqid }, { ip: nextAddress() })
}

describe('design 11 · GET /__local/outbox', () => {
  it('lists mails, SMS and captchas, newest first, with the fields that were promised', async () => {
    const to = `${unique()}@example.com`
    await createMail(to)
    const [mail, captcha] = await outbox()
    expect(mail).toEqual({
      kind: 'mail',
      to,
      uniqid: '',
      code: expect.stringMatching(/^\d{6}$/),
      subject: '【织联】注册账号验证码',
      text: expect.stringContaining(mail!.code),
      at: expect.any(Number),
    })
    expect(captcha).toMatchObject({ kind: 'captcha', to: '' })
  })

  it('filters by kind, receiver and uniqid', async () => {
    const [first, second] = [`${unique()}@example.com`, `${unique()}@example.com`]
    await createMail(first)
    await createMail(second)
    expect((await outbox(`?to=${first}`)).map(({ to }) => to)).toEqual([first])
    expect((await outbox('?kind=captcha')).every(({ kind }) => kind === 'captcha')).toBe(true)
    const { uniqid, shown } = await readCaptcha()
    expect(shown).toMatchObject([{ kind: 'captcha', uniqid }])
    expect(await outbox(`?to=${first}&kind=sms`)).toEqual([])
  })

  it('shows a page without scripts that escapes messages', async () => {
    await createMail(`${unique()}@example.com`)
    const response = await request('/__local/outbox', { headers: { accept: 'text/html,*/*' } })
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await response.text()
    expect(html).toContain('<title>本地发件箱</title>')
    expect(html).not.toContain('<script')
  })

  it.each(['staging', 'production', '', undefined] as const)('does not exist in %j', async (environment) => {
    const deployed = createTestWorker({ env: { ENVIRONMENT: environment as 'staging' } })
    for (const accept of ['application/json', 'text/html']) {
      const response = await deployed.request('/__local/outbox', { headers: { accept } })
      const unknown = await deployed.request('/__local/whatever', { headers: { accept } })
      expect(response.status).toBe(404)
      const [body, other] = [await response.json<object>(), await unknown.json<object>()]
      expect({ ...body, request_id: '' }).toEqual({ ...other, request_id: '' })
    }
  })
})
