import * as z from 'zod'
import { clientDevice, type clientApi } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { ERRORS, type ErrorKey, Refusal, refuse } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { checkMember, failureOf } from '#domain/client/member.ts'
import type { Ctx } from '#http/context.ts'
import { isMatchingVerifier } from '#security/auth-source.ts'
import { selectMemberOfRequest, insertLoginRecords } from './sql/members.ts'
import { type AuthRequest, guardMatched, selectRequestById, updateRequest } from './sql/auth-requests.ts'
import { openSession } from './session.ts'

type Answer = Output<typeof clientApi.authToken>

/** A request answers nobody but the client that began it. The session is handed out once; a reason against it stays. */
export async function pollToken(ctx: Ctx, input: Parsed<typeof clientApi.authToken>): Promise<Answer> {
  const { db, now } = ctx
  const { requests, members } = await batch(db, {
    requests: selectRequestById(db, input.request_id),
    members: selectMemberOfRequest(db, input.request_id, now),
  })
  const request = requests[0] ?? refuse('AUTH_REQUEST_BAD')
  if (!(await isMatchingVerifier(request.challenge, input.verifier))) return refuse('AUTH_REQUEST_BAD')
  if (request.step === 'refused') throw new Refusal(readReason(request.reason))
  if (request.step === 'done' || request.expiresAt <= now) return refuse('AUTH_REQUEST_BAD')
  if (request.isOn !== 1) return refuse('AUTH_SOURCE_OFF')
  if (request.sourceStatus !== 1) return refuse('AUTH_SOURCE_UNAVAILABLE')
  if (request.step !== 'matched') return { status: 'pending', session: null }
  return open(ctx, request, members[0])
}

async function open(
  ctx: Ctx,
  request: AuthRequest,
  member: Awaited<ReturnType<typeof selectMemberOfRequest>>[number] | undefined,
): Promise<Answer> {
  const { db, now } = ctx
  if (!member) return refuse('AUTH_MEMBER_NONE')
  const device = clientDevice.parse(JSON.parse(request.device))
  const refused = checkMember(member)
  if (refused) {
    await insertLoginRecords(ctx, [member], device, failureOf(refused))
    throw new Refusal(refused)
  }
  const opened = await openSession(ctx, member, device, request.sourceId)
  await batch(db, {
    matched: guardMatched(db, request, member.id, now),
    request: updateRequest(db, request.id, 'matched', { step: 'done' }),
    ...opened.writes,
  })
  return { status: 'done', session: await opened.answer() }
}

const stored = z.object({
  key: z.string().refine((key): key is ErrorKey => Object.hasOwn(ERRORS, key)),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** The refusal that a callback has left. One of a later version of the catalogue says only that the request is over. */
function readReason(text: string | null): Violation {
  const found = stored.safeParse(JSON.parse(text ?? 'null')).data
  return found ? violation(found.key as ErrorKey, found.params) : violation('AUTH_REQUEST_BAD')
}
