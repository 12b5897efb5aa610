import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { logsApi } from '#contract/logs/index.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { routerApi } from '#contract/router/index.ts'
import { SERVICE_ADDRESS, SITES } from '#infra/lab/bed/sites.ts'
import { readFailure } from '#infra/agent/drivers/linux/openvpn/temporary-failure.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { cutOff } from '#infra/lab/packets/cut.ts'
import { poll } from '#infra/lab/poll.ts'
import { type Offer, addMember, deleteMembers, offerOfA, signIn } from '#infra/lab/software/members.ts'
import type { Output } from '#infra/lab/software/output.ts'
import { DIALLED, REFUSED, startTokenDial } from '#infra/lab/software/token-dial.ts'
import { localSecrets } from '#infra/local/secrets.ts'
import { createDialToken, readDialToken } from '#security/dial-token.ts'
import { type Check, requireThat } from './check.ts'
import { withMembers } from './software.ts'
import { untilOnline } from './stands.ts'

/* Check of refusals: each reason for which a dial is refused has a sentence of its own. */

const REFUSED_MS = 40_000
const RECORD_MS = 20_000
const BACK_MS = 60_000
const NEW_PASSWORD = 'LabOther2026'

const dialOnlyA = (lab: Lab, offer: Offer, name: string, token: string): Output =>
  startTokenDial(lab, offerOfA(offer), { name, token, afterRefusal: 'end' })

/** Sentence of a dial's refusal, as its program has printed it. */
async function readRefusal(dial: Output): Promise<string> {
  const { text } = await dial.until(REFUSED, REFUSED_MS)
  return readFailure(text.slice(text.indexOf(REFUSED) + REFUSED.length + 1).replace(/[',\s]+$/, '')).sentence
}

/** The member's token as it is after its 12 hours: signed by the service's own key. */
async function expire(token: string): Promise<string> {
  const { HMAC_SECRET } = localSecrets()
  const claims = await readDialToken(HMAC_SECRET, token)
  if (!claims) throw new Error('the token is not of this service')
  return createDialToken(HMAC_SECRET, { ...claims, expiresAt: Date.now() - 60_000 })
}

const forge = (token: string): string => `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`

const OWN_SENTENCES: Check = {
  number: 39,
  title:
    'a password, a wrong, expired or revoked token, a disabled member, one of another network and a hub that is away are each refused in their own words, and the last one is let in once the hub is back',
  needs: 'linux',
  async run(lab) {
    const { call, networks } = lab.customers[0]
    const plant = networks.get('生产网') ?? ''
    await withMembers(lab, ['refused', 'changed', 'stopped'], async (refused, changed, stopped) => {
      if (!refused || !changed || !stopped) return
      const stranger = await addMember(lab, 'stranger', plant)
      try {
        const offerOf = async (member: typeof refused) => (await signIn(lab, member))()
        const offers = {
          refused: await offerOf(refused),
          changed: await offerOf(changed),
          stopped: await offerOf(stopped),
        }
        const foreign = await (await signIn(lab, stranger, plant))()
        await call(routerApi.password, { router_name: changed.name, password: NEW_PASSWORD })
        await call(routerApi.updateStatus, { router_name: stopped.name, status: 0, confirm: 1 })
        const { token } = offers.refused
        const stored = [
          [CLIENT_ERRORS.DIAL_PASSWORD, refused.name, refused.password],
          [CLIENT_ERRORS.DIAL_TOKEN_WRONG, refused.name, forge(token)],
          [CLIENT_ERRORS.DIAL_TOKEN_EXPIRED, refused.name, await expire(token)],
          [CLIENT_ERRORS.DIAL_NOT_MEMBER, stranger.name, foreign.token],
        ] as const
        const changes = [
          [CLIENT_ERRORS.DIAL_TOKEN_REVOKED, changed.name, offers.changed.token],
          [ROUTER_ERRORS.MEMBER_DISABLED, stopped.name, offers.stopped.token],
        ] as const
        const cases = [...stored, ...changes]
        const own: ReadonlySet<string> = new Set(cases.map(([, name]) => name))
        // the changes have reached the centre by the time that the others are refused
        for (const some of [stored, changes])
          await Promise.all(
            some.map(async ([{ msg }, name, secret]) => {
              const dial = dialOnlyA(lab, offers.refused, name, secret)
              const sentence = await readRefusal(dial).finally(() => dial.stop())
              requireThat(sentence === msg, `expected “${msg}”, the client prints “${sentence}”`)
            }),
          )
        await poll(
          'each refusal is among the sign-ins',
          RECORD_MS,
          async () => {
            const rows = await call(logsApi.softwareLogin, { page: 1, limit: 100 })
            return rows.flatMap(({ success, router_name }) => (success || !own.has(router_name) ? [] : [router_name]))
          },
          (failed) => failed.length === cases.length,
        )
        await requireReturn(lab, offers.refused)
      } finally {
        await deleteMembers(lab, [stranger])
      }
    })
  },
}

/** A stock client that dials while the hub is away is refused, stays, and dials in by itself. */
async function requireReturn(lab: Lab, offer: Offer): Promise<void> {
  const cut = await cutOff(lab.bed, SITES.A.address, SERVICE_ADDRESS)
  const dial = dialOnlyA(lab, offer, offer.router_name, offer.token)
  try {
    const sentence = await readRefusal(dial).finally(() => cut.mend())
    requireThat(sentence === CLIENT_ERRORS.DIAL_AWAY.msg, `while the hub is away the client prints “${sentence}”`)
    await dial.until(DIALLED, BACK_MS)
  } finally {
    await dial.stop()
  }
  await untilOnline(lab.customers[0])
}

export const REFUSALS: readonly Check[] = [OWN_SENTENCES]
