import type { Context } from 'hono'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { SELF_TEST_HUB, isMissingMethod } from '#contract/kernel/hubs.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { parseGuardFailure, runGuardsOnly } from '#db/guard.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { HubAway } from '#http/hub-answers.ts'
import { randomHex } from '#security/secrets.ts'
import { refusingGuard } from './sql/self-test.ts'

/* Self-test of a release: the parts of it that only the Worker can try. */

/** Runs both checks and reports their faults: a caller has to learn of the second one, too. */
export async function selfTest(ctx: Ctx) {
  const mark = randomHex(8)
  const [guard, hub] = await Promise.all([checkGuard(ctx, mark), checkHub(ctx, mark)])
  return {
    release: ctx.env.CF_VERSION_METADATA?.id ?? '',
    hub_release: hub.release,
    guard,
    hub: hub.fault,
  }
}

/** Socket to the hub of the self-test. The round trip refuses an address that is paused after wrong tokens. */
export async function openSelfTestSocket(c: Context<HonoEnv>): Promise<Response> {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') return refuse('UPGRADE_REQUIRED')
  const { db, hubs } = c.get('ctx')
  await runGuardsOnly(db)
  const response = await hubs.connect('account', SELF_TEST_HUB, { by: 'selfTest' })
  return response.webSocket ? response : closedSocket()
}

const EARLIER_HUB = 'the hub is of an earlier release, which has no self-test; its object moves with a later step'

/** Socket that carries the words: a client cannot read a refused upgrade. */
function closedSocket(): Response {
  const { 0: client, 1: socket } = new WebSocketPair()
  socket.accept()
  socket.close(CLOSE.restart, EARLIER_HUB)
  return new Response(null, { status: 101, webSocket: client })
}

/** Another release of SQLite may word the error of a guard anew; refusals would then become faults. */
async function checkGuard({ db }: Ctx, mark: string): Promise<string | null> {
  const refusal = violation('INPUT_INVALID', { reason: `${mark} '"` })
  try {
    await batch(db, { guard: refusingGuard(db, refusal) })
    return 'a guard whose condition does not hold let its batch pass'
  } catch (thrown) {
    const error = parseGuardFailure(thrown)
    if (!(error instanceof Refusal)) return `a guard failed without its name: ${String(error)}`
    const { key, params } = error.violation
    const isSame = key === refusal.key && params['reason'] === refusal.params['reason']
    return isSame ? null : `a guard was refused as ${key} ${JSON.stringify(params)}`
  }
}

async function checkHub({ hubs }: Ctx, mark: string): Promise<{ fault: string | null; release: string }> {
  try {
    const { stored, release } = await hubs.account(SELF_TEST_HUB).selfTest(mark)
    return { fault: stored === mark ? null : `a hub stored ${mark} and read ${String(stored)}`, release }
  } catch (error) {
    const cause = error instanceof HubAway ? error.cause : error
    return { fault: isMissingMethod(cause) ? EARLIER_HUB : `a hub did not answer: ${String(cause)}`, release: '' }
  }
}
