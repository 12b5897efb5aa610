import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { createAlertChannels } from '#durable/account-hub/alerts/alert-channels.ts'
import { clientApi } from '#contract/client/index.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { contacts } from '#db/schema/monitor.ts'
import { messages } from '#db/schema/notices.ts'
import { ACCOUNT_HOSTS } from '#domain/site/brand.ts'
import { mailContactWarnings, warnOfContactExpiry } from '#jobs/contact-expiry.ts'
import { warnOfServices } from '#jobs/service-warnings.ts'
import { moveDueTickets } from '#jobs/tickets.ts'
import { createOutside } from '#outside/adapters.ts'
import { BRANDS, NAMES } from '#tests/support/brands.ts'
import { createClients, solvedChallenge } from '#tests/support/clients.ts'
import { oneInTurn } from '#tests/support/depth.ts'
import { openFakes } from '#tests/support/fake-services.ts'
import type { Arrival } from '#tests/support/fakes/arrivals.ts'
import { PASSWORD, createMainAccount, createService, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { createCaptcha, nextAddress } from '#tests/support/identity.ts'
import { age, createPhone } from '#tests/support/otp.ts'
import { createNumber } from '#tests/support/strangers.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { FORM, setTicket } from '#tests/support/tickets.ts'
import { codesOf } from '#tests/support/totp.ts'

// Every mail, SMS and site message of the product, for an account of each host: what its customer reads names that host's
// brand and no other.

const { arrived, fakes } = openFakes('brands')
const bindings: Env = { ...env, ...fakes.bindings, OPEN_TO_OTHERS: '1' }
const deployed = createTestWorker({ env: bindings })
const DAY = 86_400_000

/** Somebody of an account at that host, asking the deployed Worker. */
async function createCustomer(host: string) {
  const [phone, email] = [createPhone(), `${unique('brand')}@example.com`]
  const main = await createMainAccount({ phone: phone.slice(4), email, host })
  const to = new Set([phone.slice(4), email])
  const ask = async <E extends Endpoint>(spec: E, input: Input<E>, token?: string) => {
    const answer = await deployed.call(spec, input, { ip: nextAddress(), ...(token && { token }) })
    if (answer.code !== 200) throw new Error(`${spec.path}: ${answer.msg}`)
    return answer
  }
  const codeAt = async (contact: string) => {
    const [found] = contact.includes('@')
      ? await arrived('smtp', contact)
      : await arrived('aliyun-sms', contact.slice(4))
    return /\d{6}/.exec((found?.text ?? '').replace(/SMS_\d+/, ''))?.[0] ?? ''
  }
  return { main, phone, email, to, ask, codeAt, host }
}
type Customer = Awaited<ReturnType<typeof createCustomer>>

/** At the host itself, where nobody is signed in. */
async function register({ host, to, codeAt }: Customer): Promise<void> {
  for (const [send_type, target] of [
    ['email', `${unique('brand')}@example.com`],
    ['phone', createPhone()],
  ] as const) {
    const { uniqid, code } = await createCaptcha('register')
    const body = JSON.stringify({ send_type, send_value: target, img_code: code, uniqid })
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'cf-connecting-ip': nextAddress() },
    }
    const name = host === 'unlisted' ? 'elsewhere.example.org' : host
    await deployed.request(`//${name}/api/v1/verify/register`, init)
    to.add(send_type === 'phone' ? target.slice(4) : target)
    expect(await codeAt(target)).toMatch(/^\d{6}$/)
  }
}

/** Password, phone and e-mail, each behind the identity step. */
async function changeIdentity({ main: { token }, phone, email, to, ask, codeAt }: Customer): Promise<string> {
  const prove = async (send_type: 'phone' | 'email', own: string) => {
    await ask(send_type === 'phone' ? accountApi.defaultPhone : accountApi.defaultEmail, {}, token)
    const code = await codeAt(own)
    const of =
      send_type === 'phone'
        ? ({ send_type, verify_type: 'verify_phone' } as const)
        : ({ send_type, verify_type: 'verify_email' } as const)
    await ask(verifyApi.verify, { ...of, code }, token)
  }
  const [number, mailbox, member] = [createPhone(), `${unique('brand')}@example.com`, createPhone()]
  for (const added of [number.slice(4), mailbox, member.slice(4)]) to.add(added)
  await prove('phone', phone)
  await ask(accountApi.editPassword, { new_password: 'Fresh2026', reset_password: 'Fresh2026' }, token)
  await prove('email', email)
  await ask(verifyApi.sendCode, { send_type: 'phone', verify_type: 'verify_phone', send_value: number }, token)
  await ask(accountApi.editPhone, { area_code: '86', phone: number.slice(4), code: await codeAt(number) }, token)
  await age(number, 60_000)
  await prove('phone', number)
  await ask(verifyApi.sendCode, { send_type: 'email', verify_type: 'verify_email', send_value: mailbox }, token)
  await ask(accountApi.editEmail, { email: mailbox, code: await codeAt(mailbox) }, token)
  await ask(verifyApi.sendCode, { send_type: 'phone', verify_type: 'app_change_phone', send_value: member }, token)
  return mailbox
}

async function signInElsewhere({ main, ask }: Customer): Promise<void> {
  for (const system of ['Windows NT 10.0', 'iPhone; CPU iPhone OS 17_5']) {
    const input = { username: main.username, password: 'Fresh2026', ...(await createCaptcha('login')) }
    const headers = { 'user-agent': `Mozilla/5.0 (${system})` }
    expect((await deployed.call(loginApi.account, input, { ip: nextAddress(), headers })).code).toBe(200)
  }
  const sub = await createSubAccount(main)
  await ask(ramApi.password, { old_password: PASSWORD, password: 'Other2026', reset_password: 'Other2026' }, sub.token)
}

async function recover({ main, ask, codeAt }: Customer, mailbox: string): Promise<void> {
  for (const send_type of ['phone', 'email'] as const) {
    const { uniqid, code } = await createCaptcha('find_password')
    const { data } = await ask(verifyApi.findPassword, { username: main.username, img_code: code, uniqid })
    await ask(verifyApi.findPasswordCode, { uniqid: data.uniqid, send_type })
    if (send_type === 'phone') continue
    await ask(verifyApi.authentication, { uniqid: data.uniqid, send_type, code: await codeAt(mailbox) })
    const password = { password: 'Again2026', reset_password: 'Again2026' }
    await ask(verifyApi.resetPassword, { uniqid: data.uniqid, ...password })
  }
}

async function signInByClient({ host, to, ask }: Customer): Promise<void> {
  const phone = createNumber()
  const [member] = await createClients(1, { phone })
  await db.update(accounts).set({ host }).where(eq(accounts.id, member!.main.accountId))
  await ask(clientApi.phone, { phone, ...(await solvedChallenge()) })
  to.add(phone)
}

/** Verification, alert, warning of the end, and the button to unsubscribe. */
async function useContact({ main, host, to, ask }: Customer, mailbox: string): Promise<void> {
  const contact = `${unique('contact')}@example.com`
  to.add(contact)
  const { data } = await ask(contactsApi.create, { name: '张三', email: contact }, main.token)
  const secretIn = async () => /\?s=([\w.-]+)/.exec((await arrived('smtp', contact))[0]?.text ?? '')?.[1] ?? ''
  await ask(contactsApi.validateEmail, { s: await secretIn() })
  const channels = createAlertChannels(bindings, main.hub)
  const delivery = {
    id: unique('delivery'),
    alertId: 'a',
    kind: 'open',
    title: '成员离线：上海',
    lines: ['成员：上海', '已离线3分钟'],
    networks: [],
    networkNumber: '',
    routerName: '',
    event: 'router.offline',
    at: 1,
    state: 'pending',
    tries: 0,
    nextAt: 0,
    createdAt: Date.now(),
    triedFrom: 0,
    doneAt: null,
    code: '',
    words: '',
  } as const
  for (const target of [contact, mailbox])
    expect(await channels.mail({ ...delivery, channel: 'mail', target }, host)).toMatchObject({ kind: 'ok' })
  await channels.site(main.accountId, [{ ...delivery, channel: 'site', target: '' }])
  const now = Date.now()
  await db
    .update(contacts)
    .set({ expiresAt: now + 7 * DAY, warnAt: now - 1 })
    .where(eq(contacts.uuid, data.uuid))
  await warnOfContactExpiry({ db, now, hubOutbox: [] })
  await mailContactWarnings({ db, mail: createOutside(bindings).mail, now, runId: 'r' })
  const [alert] = (await arrived('smtp', contact)).filter(({ text }) => text.includes('/validate/unsubscribe'))
  await ask(contactsApi.unsubscribe, { s: /unsubscribe\?s=([\w.-]+)/.exec(alert!.text)![1]! })
}

async function endService({ main }: Customer): Promise<void> {
  await createService(main.accountId, 'bandwidth', 1, { expireAt: Date.now() + 6 * DAY, startAt: 1, warnAt: 0 })
  await warnOfServices({ db, now: Date.now(), hubOutbox: [] })
}

/** Answered and closed by the operator, then warned of and closed by the cron. */
async function useTickets({ main, ask }: Customer): Promise<void> {
  const submit = async () => (await ask(ticketApi.create, FORM, main.token)).data.ticket_number
  const [closed, silent] = [await submit(), await submit()]
  for (const status of [2, 4] as const) await ask(opsApi.ticketStatus, { number: closed, status })
  await ask(opsApi.replyTicket, { number: silent, content: '请重启设备' })
  const now = Date.now()
  const run = () => moveDueTickets({ db, now, runId: 'r', hubOutbox: [] })
  await setTicket(silent, { answeredAt: now - 6 * DAY, dueAt: now })
  await run()
  await setTicket(silent, { answeredAt: now - 7 * DAY, warnedAt: now - DAY, dueAt: now })
  await run()
}

/** Switched on and off by the account holder, required of a sub-account, and reset by holder and operator. */
async function useSecondFactor({ main, ask }: Customer): Promise<void> {
  const enable = async (token: string, password: string) => {
    const { data } = await ask(accountApi.totpSetup, {}, token)
    const code = codesOf(data.secret)()
    return (await ask(accountApi.totpEnable, { setup: data.setup, code, password }, token)).data.recovery_codes
  }
  const [recovery_code = ''] = await enable(main.token, 'Fresh2026')
  const { data } = await ask(accountApi.totpRecovery, { recovery_code }, main.token)
  await ask(accountApi.totpDisable, { recovery_code: data.recovery_codes[0]! }, main.token)
  const sub = await createSubAccount(main)
  await enable(sub.token, PASSWORD)
  for (const required of [1, 0] as const) await ask(accountApi.totpRequire, { required }, main.token)
  await ask(accountApi.totpReset, { ram_id: sub.ramId }, main.token)
  await enable(main.token, 'Fresh2026')
  await ask(opsApi.resetTotp, { account: main.username })
}

const MAILS = [
  '注册账号验证码',
  '验证邮箱验证码',
  '找回密码验证码',
  '安全通知：登录密码已修改',
  '安全通知：绑定手机已更换',
  '安全通知：绑定邮箱已更换',
  '安全通知：账号在新的设备登录',
  '安全通知：子账号登录密码已修改',
  '安全通知：登录密码已重置',
  '请验证您的告警邮箱',
  '成员离线：上海',
  '联系人授权即将到期',
  '工单“无法连接”有新的回复',
  '安全通知：两步验证已开启',
  '安全通知：恢复码已更换',
  '安全通知：两步验证已关闭',
  '安全通知：子账号须使用两步验证',
  '安全通知：子账号不再须使用两步验证',
  '安全通知：两步验证已重置',
]
/** Site messages of tickets; of a reply there is a mail, too. */
const TICKET_MESSAGES = ['处理中', '已关闭', '有新的回复', '即将自动关闭', '已自动关闭']

it('of every host an account may have there is an expectation', () => {
  expect(Object.keys(BRANDS).toSorted()).toEqual([...ACCOUNT_HOSTS].toSorted())
})

it.each(oneInTurn(Object.entries(BRANDS)))(
  'everything that a customer of %s gets is under its name only',
  async (host, brand) => {
    const customer = await createCustomer(host)
    await register(customer)
    const mailbox = await changeIdentity(customer)
    await signInElsewhere(customer)
    await signInByClient(customer)
    await useContact(customer, mailbox)
    await endService(customer)
    await useTickets(customer)
    await useSecondFactor(customer)
    await recover(customer, mailbox)
    const account = customer.main.username
    await deployed.call(opsApi.sendMessage, { account, type: '系统', title: '维护通知', content: '今晚维护' })

    const { data: link } = await deployed.call(opsApi.tokenLink, { account })
    expect(new URL(link.url).host).toBe(brand.links)

    const isTheirs = ({ to }: Arrival) => customer.to.has(to)
    const mails = (await arrived('smtp')).filter(isTheirs)
    const label = brand.name === '' ? '' : `【${brand.name}】`
    const subjects = mails.map(({ detail }) => String(detail['subject']))
    expect(new Set(subjects)).toEqual(new Set(MAILS.map((subject) => `${label}${subject}`)))
    const others = NAMES.filter((name) => !brand.name.includes(name))
    for (const { text, detail } of mails) {
      expect(detail['sender']).toEqual({ name: brand.name, address: brand.address })
      expect(detail['from']).toBe(brand.address)
      const all = [text, detail['html'], detail['subject'], JSON.stringify(detail['headers'])].join('\n')
      for (const other of others) expect(all).not.toContain(other)
      const links = [...all.matchAll(/https?:\/\/([^/\s"<>\\]+)/g)].map(([, linked]) => linked)
      expect(new Set(links)).toEqual(new Set(links.length === 0 ? [] : [brand.links]))
      expect(String(detail['raw'])).toContain(`@${brand.address.split('@')[1]}>`) // Message-ID
    }

    const sms = (await arrived('aliyun-sms')).filter(isTheirs)
    const hasNotices = host !== 'unlisted' // no template there: mail and site message alone
    const templates = [`${brand.digit}001`, ...(hasNotices ? [`${brand.digit}008`] : [])]
    if (host === 'console.netloom.cn') templates.push('1003')
    expect(new Set(sms.map(({ detail }) => detail['template']))).toEqual(
      new Set(templates.map((name) => `SMS_${name}`)),
    )
    for (const { detail, answer } of sms)
      expect({ sign: detail['sign'], answer }).toEqual({ sign: brand.sign, answer: 'OK' })

    const site = await db.select().from(messages).where(eq(messages.accountId, customer.main.accountId))
    expect(new Set(site.map(({ type }) => type))).toEqual(new Set(['安全', '告警', '系统', '服务', '工单']))
    const ofTickets = site.filter(({ type }) => type === '工单').map(({ title }) => title)
    expect(ofTickets.toSorted()).toEqual(TICKET_MESSAGES.map((event) => `工单“无法连接”${event}`).toSorted())
    expect(site.length).toBeGreaterThanOrEqual(10)
    for (const name of NAMES) expect(JSON.stringify(site)).not.toContain(name)
  },
)
