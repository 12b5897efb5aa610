import { deflateSync } from 'node:zlib'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { CAPTCHA_PURPOSES, type verifyApi } from '#contract/verify/index.ts'
import { batch } from '#db/batch.ts'
import { guard } from '#db/guard.ts'
import { isWithinLimit, recordAttempt } from '#db/rate-limit.ts'
import { selectFailures } from './sql/failures.ts'
import { toChunk } from '#domain/file/image/png.ts'
import { CAPTCHA_SIZE, drawCaptcha } from '#domain/verify/captcha-image.ts'
import { CAPTCHA_ALPHABET } from '#domain/verify/glyphs.ts'
import { toAllowance, bitsFor, provenBits, requiredBits } from '#domain/verify/proof-of-work.ts'
import type { Ctx } from '#http/context.ts'
import { createChallenge, readChallenge } from '#security/challenge.ts'
import { captchaHash } from '#security/one-time.ts'
import { createRandom, randomText, randomToken, sha256 } from '#security/secrets.ts'
import { selectProofs } from './sql/recovery.ts'
import { CAPTCHA, PROOF } from '#contract/verify/limits.ts'
import { insertCaptcha } from './sql/codes.ts'

/* Image captchas and proof-of-work challenges that visitors solve before sign-in, registration and recovery. */

type Api = typeof verifyApi
type CaptchaPurpose = (typeof CAPTCHA_PURPOSES)[number]

const LIFE_MS = CAPTCHA.minutes * 60_000

/**
 * Makes a captcha. It is counted first and drawn later, because drawing is expensive. With CAPTCHA_MODE `work` there is none,
 * and pages begin the proof of work.
 */
export async function drawNewCaptcha(ctx: Ctx, { purpose }: Parsed<Api['code']>) {
  if (ctx.env.CAPTCHA_MODE === 'work') return refuse('CAPTCHA_BY_WORK')
  const { uniqid, text, row } = await newCaptcha(ctx, purpose)
  const { failures } = await batch(ctx.db, {
    ...limitPerAddress(ctx, 'captcha', violation('TOO_OFTEN', { retry_after: 60 })),
    captcha: insertCaptcha(ctx.db, row),
    failures: selectFailures(ctx.db, ctx, ctx.now),
  })
  const image = drawCaptcha(text, createRandom())
  const png = encodeGreyPng(image, CAPTCHA_SIZE.width, CAPTCHA_SIZE.height)
  await ctx.outside.captchaLog(uniqid, text)
  const [address, wideBlock] = failures[0] ?? [0, 0]
  return {
    content: `data:image/png;base64,${png.toString('base64')}`,
    uniqid,
    difficulty: requiredBits({ address, wideBlock, account: 0 }),
  }
}

/**
 * Makes a signed proof-of-work challenge with purpose and expiry, harder with each redeemed one of the address. Beyond the
 * limit of the address block it is the hardest, and the database is not asked: nobody is shut out by a neighbour.
 */
export async function newChallenge(ctx: Ctx, { purpose }: Parsed<Api['challenge']>) {
  const isFull = (await ctx.countCall('captcha')) === false
  const difficulty = isFull ? PROOF.bitsMax : await selectDifficulty(ctx)
  return { challenge: await createChallenge(ctx.env.HMAC_SECRET, purpose, ctx.now + LIFE_MS), difficulty }
}

async function selectDifficulty({ db, ipBlock, ipWideBlock, now }: Ctx): Promise<number> {
  const [[address, wideBlock] = [0, 0]] = await selectProofs(db, `proof:${ipBlock}`, `proof:${ipWideBlock}`, now)
  return Math.max(
    PROOF.bitsMin,
    bitsFor(address + 1, CAPTCHA.perAddressPerMinute),
    bitsFor(wideBlock + 1, CAPTCHA.perWideBlockPerMinute),
  )
}

/** Exchanges a solved challenge for a captcha with its text. Each works once; the platform's limit refuses most repeats. */
export async function redeemProof(ctx: Ctx, { challenge, nonce }: Parsed<Api['proof']>) {
  const found = await readChallenge(ctx.env.HMAC_SECRET, challenge, ctx.now)
  const purpose = CAPTCHA_PURPOSES.find((of) => of === found?.purpose)
  const bits = provenBits(await sha256(`${challenge}.${nonce}`))
  if (!found || !purpose || bits === 0) return refuse('PROOF_WRONG')
  if ((await ctx.countCall('proof', found.id)) === false) return refuse('PROOF_WRONG')

  const { uniqid, text, row } = await newCaptcha(ctx, purpose)
  const used = `proof:${found.id}`
  await batch(ctx.db, {
    ...limitPerAddress(ctx, 'proof', violation('PROOF_WRONG'), bits),
    used: recordAttempt(ctx.db, used, LIFE_MS, ctx.now),
    once: guard(ctx.db, isWithinLimit(used, 1), violation('PROOF_WRONG')),
    captcha: insertCaptcha(ctx.db, row),
  })
  return { uniqid, code: text }
}

async function newCaptcha({ env, now }: Ctx, purpose: CaptchaPurpose) {
  const uniqid = randomToken(16)
  const text = randomText(CAPTCHA_ALPHABET, CAPTCHA.length)
  const answer = await captchaHash(env.HMAC_SECRET, purpose, uniqid, text)
  return { uniqid, text, row: { uniqid, purpose, answer, expiresAt: now + LIFE_MS } }
}

/**
 * Rate limits of an address and of its /48. More work raises them; a refused call is rolled back and not counted. Enough
 * work passes any number, so that nobody is locked out by others behind the same address.
 */
function limitPerAddress(ctx: Ctx, kind: 'captcha' | 'proof', refusal: Violation, bits = 0) {
  const { db, ipBlock, ipWideBlock, now } = ctx
  const [key, wideKey] = [`${kind}:${ipBlock}`, `${kind}:${ipWideBlock}`]
  const isWide = key !== wideKey
  const isAllowed = (of: string, free: number) => isWithinLimit(of, toAllowance(bits, free))
  return {
    attempt: recordAttempt(db, key, 60_000, now),
    limit: guard(db, isAllowed(key, CAPTCHA.perAddressPerMinute), refusal),
    wideAttempt: isWide && recordAttempt(db, wideKey, 60_000, now),
    wideLimit: isWide && guard(db, isAllowed(wideKey, CAPTCHA.perWideBlockPerMinute), refusal),
  }
}

/** 8-bit grey PNG of `width` × `height` pixels. */
function encodeGreyPng(pixels: Uint8Array, width: number, height: number): Buffer {
  const rows = new Uint8Array((width + 1) * height) // each row starts with its filter type, 0: none
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header[8] = 8 // bits a pixel; colour type, compression, filter and interlace stay 0
  return Buffer.concat([
    SIGNATURE,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(rows, { level: FASTEST })),
    toChunk('IEND', new Uint8Array()),
  ])
}

const FASTEST = 1 // a fifth of the time for a tenth more bytes
const SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
