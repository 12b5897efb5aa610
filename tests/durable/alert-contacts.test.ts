import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ALERT } from '#contract/monitor/alert.ts'
import type { UnsentRow } from '#contract/monitor/index.ts'
import { outbox } from '#db/schema/accounts.ts'
import { unique } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { MINUTE, useMonitoredNetwork } from './monitored-network.ts'
import { SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'
import { contacts } from '#db/schema/monitor.ts'

const DAY = 86_400_000
const { network, stub, listDeliveries, report, saveSettings, passTime, passAlarms, sent } = useMonitoredNetwork()

/** A contact whose authorization ends then; null: not verified. */
async function insertContact(expiresAt: number | null) {
  const row = { uuid: unique('u'), name: '值班', email: `${unique('c')}@example.com`, createdAt: 0, mailAt: 0 }
  const verifiedAt = expiresAt === null ? null : 1
  await db.insert(contacts).values({ ...row, accountId: network.accountId, mailState: 'sent', verifiedAt, expiresAt })
  return row
}
type Contact = Awaited<ReturnType<typeof insertContact>>
const uuidsOf = (...ticked: readonly Contact[]) => JSON.stringify(ticked.map(({ uuid }) => uuid))
const mailsTo = ({ email }: { readonly email: string }) =>
  db.select({ body: outbox.body }).from(outbox).where(eq(outbox.recipient, email))
const listUnsent = async (networks: readonly string[] | null = null) =>
  (await stub().rpc(undefined, 'alertUnsent', [networks])) as readonly UnsentRow[]
const titlesTo = async ({ email: target }: Contact) =>
  (await listDeliveries({ target, state: 'unsent' })).rows.map(({ title, words }) => `${title} ${words}`)

describe('account 2 · contacts', () => {
  it('that are ticked get the mail while they may be written to, with a link to unsubscribe', async () => {
    const [good, other] = [await insertContact(Date.now() + DAY), await insertContact(Date.now() + DAY)]
    await saveSettings({ contacts: uuidsOf(good) })
    await report(network.center, 'online', 'offline')
    await passTime(4 * MINUTE)
    await sent('sent', 3)
    expect((await mailsTo(good))[0]?.body).toContain('/validate/unsubscribe?s=')
    expect((await mailsTo(network))[0]?.body).not.toContain('unsubscribe')
    expect(await mailsTo(other)).toEqual([])
    expect(await listUnsent()).toEqual([])
  })

  it('that are not verified or have expired are never written to, and it is recorded which alerts did not go out', async () => {
    const [unverified, over] = [await insertContact(null), await insertContact(Date.now() + MINUTE)]
    await saveSettings({ contacts: uuidsOf(unverified, over) })
    const [point] = network.points
    await report(point!, 'online', 'offline')
    await passTime(4 * MINUTE) // the second authorization ends meanwhile
    await sent('sent', 2)
    const title = `成员离线：${point!.name}`
    expect(await titlesTo(unverified)).toEqual([`${title} 联系人邮箱未验证`])
    expect(await titlesTo(over)).toEqual([`${title} 联系人授权已过期`])
    await report(point!, 'offline', 'online')
    await sent('unsent', 4)
    expect(await titlesTo(over)).toHaveLength(2)
    const counts = (await listUnsent()).map(({ target, count }) => [target, count])
    expect(new Map(counts as [string, number][])).toEqual(
      new Map([
        [unverified.email, 2],
        [over.email, 2],
      ]),
    )
    for (const one of [unverified, over]) expect(await mailsTo(one)).toEqual([])
  })

  it('show unsent alerts to roles of their networks only', async () => {
    await saveSettings({ contacts: uuidsOf(await insertContact(null)) })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    await sent('unsent', 1)
    expect(await listUnsent([network.number])).toMatchObject([{ count: 1 }])
    expect(await listUnsent(['other'])).toEqual([])
  })

  it('that expire between the alert and its mail get nothing either, and the channel does not count it as a failure', async () => {
    const contact = await insertContact(Date.now() + 4 * MINUTE)
    const minute = Math.floor((Date.now() + SHANGHAI_OFFSET_MS) / MINUTE) % 1_440
    const [quietStart, quietEnd] = [(minute + 1_440 - 10) % 1_440, (minute + 60) % 1_440]
    await saveSettings({ contacts: uuidsOf(contact), quietOn: 1, quietStart, quietEnd })
    await report(network.points[0]!, 'online', 'offline')
    await passAlarms(2 * 60 * MINUTE)
    expect(await mailsTo(contact)).toEqual([])
    expect(await listDeliveries({ target: contact.email })).toMatchObject({
      paused: 0,
      rows: [{ state: 'unsent', words: '联系人已删除、未验证或授权已过期' }],
    })
  })

  it('of the second line are written to after 15 minutes without an acknowledgement, where they may be', async () => {
    const [good, unverified] = [await insertContact(Date.now() + DAY), await insertContact(null)]
    await saveSettings({ escalation: uuidsOf(good, unverified) })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    await sent('sent', 2)
    expect(await mailsTo(good)).toEqual([])
    await passTime(ALERT.escalateMs)
    await sent('sent', 3)
    expect(await mailsTo(good)).toHaveLength(1)
    expect(await titlesTo(unverified)).toEqual([`无人确认：成员离线：${network.points[0]!.name} 联系人邮箱未验证`])
  })
})
