import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { AUTH_SOURCE_TYPES } from '#contract/auth-source/index.ts'
import { clientSessions } from '#db/schema/clients.ts'
import { CHANGED } from '#tests/support/auth-attacks/changed.ts'
import { CROSSED, FOREIGN } from '#tests/support/auth-attacks/crossed.ts'
import { FORGED, REPLAYED } from '#tests/support/auth-attacks/forged.ts'
import { asPerson, createScene } from '#tests/support/auth-attacks/scene.ts'
import { DINGTALK, FEISHU, WECHAT } from '#tests/support/auth-attacks/vendors.ts'
import { db } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const EVERYWHERE = [...FORGED, ...REPLAYED, ...CROSSED, ...FOREIGN, ...CHANGED]
const ALONE = { wechat: WECHAT, feishu: FEISHU, dingtalk: DINGTALK }

describe('directory 3 · forged, replayed, crossed and foreign sign-ins', () => {
  it('are sixty and more', () => {
    const names = [...EVERYWHERE, ...WECHAT, ...FEISHU, ...DINGTALK].map(([name]) => name)
    expect(new Set(names).size).toBeGreaterThanOrEqual(60)
  })

  it.each(AUTH_SOURCE_TYPES)('%s: each has its answer, and opens no session', async (type) => {
    const offenders = await findOffenders([...EVERYWHERE, ...ALONE[type]])(async (name, expected, attack) => {
      const scene = await createScene(type)
      const answer = await attack(scene)
      const pending = { code: 200, data: { status: 'pending', session: null } }
      expect(answer).toMatchObject(expected === 'pending' ? pending : { reason: expected })
      const { id, accountId } = { id: scene.company.member.id, accountId: scene.company.main.accountId }
      const opened = await db.$count(
        clientSessions,
        and(eq(clientSessions.accountId, accountId), eq(clientSessions.routerId, id)),
      )
      expect(opened).toBe(OPENS_ONE.test(name) ? 1 : 0)
    })
    expect(offenders).toEqual([])
  })

  it('the phone of two members is refused with a sentence that says whom to ask', async () => {
    const attack = asPerson({}, ({ company }) => company.addMember(company.phone))
    expect(await attack(await createScene('wechat'))).toMatchObject({
      code: 422,
      msg: '匹配到多个成员，请联系管理员处理重复的手机号码',
    })
  })

  it('and the scene itself signs in', async () => {
    for (const type of AUTH_SOURCE_TYPES) {
      const scene = await createScene(type)
      await scene.match()
      expect((await scene.login.poll()).data.status).toBe('done')
    }
  })
})

/** The right person has signed in before, once. */
const OPENS_ONE =
  /^(a binding|a second poll|the state once more after a success|a person of another tenant|a person without a tenant)/
