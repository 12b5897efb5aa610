import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { CAPTCHA_PURPOSES, CODE_PURPOSES, type CodePurpose, verifyApi } from '#contract/verify/index.ts'
import { OTP } from '#contract/verify/limits.ts'
import { codes } from '#db/schema/accounts.ts'
import { createClients, solvedChallenge } from '#tests/support/clients.ts'
import { createMainAccount, createSoftwareRouter, unique } from '#tests/support/fixtures.ts'
import { createCaptcha, lastCode, nextAddress, signIn } from '#tests/support/identity.ts'
import { createPhone } from '#tests/support/otp.ts'
import { createPerson, otherThan, sendNewCode } from '#tests/support/own-contact.ts'
import { type Answer, call, db } from '#tests/support/test-worker.ts'

const AT_ONCE = 20
const WRONG = ['CODE_WRONG', 'CODE_SPENT']

/** A code that was sent, and a use of it; the use counts where it is right. */
interface Walk {
  readonly code: string
  readonly use: (code: string) => Promise<Pick<Answer<unknown>, 'code' | 'reason'>>
}

/** Request and use of a code, for each purpose. */
const WALKS: Readonly<Record<CodePurpose, () => Promise<Walk>>> = {
  register: async () => {
    const { uniqid, code: img_code } = await createCaptcha('register')
    const to = `${unique('m')}@example.com`
    const ip = nextAddress()
    await call(verifyApi.register, { send_type: 'email', send_value: to, img_code, uniqid }, { ip })
    const form = { nickname: '测试', password: 'Weilai26', newPassword: 'Weilai26', type: 'email', verify: to } as const
    return {
      code: (await lastCode(to))!,
      use: (code) => call(accountApi.register, { ...form, username: unique(), uniqid, code }, { ip }),
    }
  },
  verify_phone: async () => {
    const { main, phone } = await createPerson()
    await main.call(accountApi.defaultPhone, {})
    return {
      code: (await lastCode(phone))!,
      use: (code) => main.call(verifyApi.verify, { send_type: 'phone', verify_type: 'verify_phone', code }),
    }
  },
  verify_email: async () => {
    const main = await createMainAccount()
    const to = `${unique('m')}@example.com`
    return {
      code: await sendNewCode(main, to),
      use: (code) => main.call(accountApi.editEmail, { email: to, password: 'Netloom26', code }),
    }
  },
  app_change_phone: async () => {
    const main = await createMainAccount()
    const phone = createPhone()
    await createSoftwareRouter(main.accountId, { phone: phone.slice(4) })
    await main.call(verifyApi.sendCode, { send_type: 'phone', send_value: phone, verify_type: 'app_change_phone' })
    return {
      code: (await lastCode(phone))!,
      use: async (code) => {
        const { name: router_name } = await createSoftwareRouter(main.accountId)
        return main.call(routerApi.phone, { router_name, phone: phone.slice(4), type: 2, code })
      },
    }
  },
  find_password: async () => {
    const { main, phone } = await createPerson()
    const { uniqid: drawn, code: img_code } = await createCaptcha('find_password')
    const asked = { username: main.username, img_code, uniqid: drawn }
    const { uniqid } = (await call(verifyApi.findPassword, asked, { ip: nextAddress() })).data
    await call(verifyApi.findPasswordCode, { uniqid, send_type: 'phone' }, { ip: nextAddress() })
    return {
      code: (await lastCode(phone))!,
      use: (code) => call(verifyApi.authentication, { uniqid, send_type: 'phone', code }),
    }
  },
  client_login: async () => {
    const phone = createPhone().slice(4)
    await createClients(1, { phone })
    const { data } = await call(clientApi.phone, { phone, ...(await solvedChallenge()) }, { ip: nextAddress() })
    return {
      code: (await lastCode(`+86 ${phone}`))!,
      use: (code) => call(clientApi.phoneLogin, { uniqid: data.uniqid, phone, code }),
    }
  },
}
/** A walk goes on from where a repeat of its own right code leads, so that a lost answer costs nothing. */
const REPEATABLE: readonly CodePurpose[] = ['verify_phone', 'find_password']

const useAtOnce = (use: Walk['use'], code: string) => Promise.all(Array.from({ length: AT_ONCE }, () => use(code)))

describe('account 5 · codes under parallel load', () => {
  it.each(CODE_PURPOSES)('%s: five of twenty wrong ones count, and the right one is void then', async (purpose) => {
    const { code, use } = await WALKS[purpose]()
    const answers = await useAtOnce(use, otherThan(code))
    expect(answers.filter(({ reason }) => !WRONG.includes(`${reason}`))).toEqual([])
    expect(answers.filter(({ reason }) => reason === 'CODE_SPENT')).toHaveLength(1)
    const rows = await db.select({ tries: codes.tries }).from(codes).where(eq(codes.purpose, purpose)).orderBy(codes.id)
    expect(rows.at(-1)).toEqual({ tries: OTP.tries })
    expect(WRONG).toContain((await use(code)).reason)
  })

  it.each(CODE_PURPOSES.filter((purpose) => !REPEATABLE.includes(purpose)))(
    '%s: of twenty right ones one is used',
    async (purpose) => {
      const { code, use } = await WALKS[purpose]()
      const answers = await useAtOnce(use, code)
      expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
      expect((await use(code)).code).not.toBe(200)
    },
  )
})

describe('account 5 · captchas under parallel load', () => {
  const USES: Readonly<
    Record<(typeof CAPTCHA_PURPOSES)[number], (drawn: { uniqid: string; code: string }) => Promise<Answer<unknown>>>
  > = {
    login: (drawn) => signIn('nobody', drawn),
    find_password: ({ uniqid, code }) =>
      call(verifyApi.findPassword, { username: 'nobody', img_code: code, uniqid }, { ip: nextAddress() }),
    register: ({ uniqid, code }) => {
      const to = { send_type: 'email', send_value: `${unique('m')}@example.com` } as const
      return call(verifyApi.register, { ...to, img_code: code, uniqid }, { ip: nextAddress() })
    },
  }
  const REFUSED = ['CAPTCHA_WRONG', 'IMG_CODE_WRONG'] // the field has another name in some forms
  it.each(CAPTCHA_PURPOSES)('%s: one is good for one of twenty uses, right or wrong', async (purpose) => {
    const passed = async (code: (text: string) => string) => {
      const drawn = await createCaptcha(purpose)
      const tried = { uniqid: drawn.uniqid, code: code(drawn.code) }
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => USES[purpose](tried)))
      const after = await USES[purpose](drawn)
      return [
        answers.filter(({ reason }) => !REFUSED.includes(`${reason}`)).length,
        REFUSED.includes(`${after.reason}`),
      ]
    }
    expect(await passed((text) => text)).toEqual([1, true])
    expect(await passed((text) => (text === 'AAAA' ? 'BBBB' : 'AAAA'))).toEqual([0, true])
  })
})
