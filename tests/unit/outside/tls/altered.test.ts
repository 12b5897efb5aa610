import { X509Certificate } from 'node:crypto'
import { type Duplex, duplexPair } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { expect, it } from 'vitest'
import { withDeadline } from '#outside/ldap/deadline.ts'
import { DIRECTORY_FAILURES, DirectoryError } from '#outside/tls/failure.ts'
import type { Pipe } from '#outside/tls/pipe.ts'
import { openTls } from '#outside/tls/tls-pipe.ts'
import { createChainCheck } from '#outside/tls/trust.ts'
import { keyPem } from '#tests/support/directory/certificates.ts'
import { NAME, leaf, root } from '#tests/support/directory/chains.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// A live handshake of OpenSSL's, with each of the server's messages altered on its way.

type Version = 'TLSv1.2' | 'TLSv1.3'
/** One message in the clear, or one record that is encrypted or no handshake. */
interface Unit {
  readonly type: number
  readonly body: Buffer
  readonly isMessage: boolean
}
type Alter = (units: readonly Unit[]) => readonly Unit[]

const HANDSHAKE = 22
const CHANGE_CIPHER_SPEC = 20
const SERVER_HELLO = 2
const WAIT_MS = { altered: 300, honest: 10_000 } as const
const server = leaf()
const checkChain = createChainCheck({ name: NAME, anchors: [new X509Certificate(root.der)], now: Date.now() })

const toRecord = ({ type, body }: Unit): Buffer => {
  const header = Buffer.from([type, 3, 3, 0, 0])
  header.writeUInt16BE(body.length, 3)
  return Buffer.concat([header, body])
}

/** Splits what a server sends into units; encrypted is everything behind ServerHello (1.3) or ChangeCipherSpec (1.2). */
function createSplitter(version: Version) {
  let bytes: Buffer = Buffer.alloc(0)
  let isEncrypted = false
  return (data: Buffer): Unit[] => {
    bytes = Buffer.concat([bytes, data])
    const units: Unit[] = []
    while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt16BE(3)) {
      const end = 5 + bytes.readUInt16BE(3)
      const [type = 0, body] = [bytes[0], bytes.subarray(5, end)]
      bytes = bytes.subarray(end)
      if (type !== HANDSHAKE || isEncrypted) units.push({ type, body, isMessage: false })
      else units.push(...splitMessages(body))
      isEncrypted ||=
        version === 'TLSv1.3' ? units.some(({ body: [first] }) => first === SERVER_HELLO) : type === CHANGE_CIPHER_SPEC
    }
    return units
  }
}

function splitMessages(body: Buffer): Unit[] {
  const units: Unit[] = []
  for (let from = 0; from < body.length;) {
    const end = from + 4 + body.readUIntBE(from + 1, 3)
    units.push({ type: HANDSHAKE, body: body.subarray(from, end), isMessage: true })
    from = end
  }
  return units
}

/** A unit that is replaced, together with the next one where the server does not wait for the client before that. */
interface Alteration {
  readonly alter: Alter
  readonly index: number
  readonly isAlone: boolean
}

interface AlteredPipe extends Pipe {
  /** Units that the server has sent. */
  seen: number
  /** Values of `seen` at the moments when the client wrote. */
  readonly seenAtWrites: Set<number>
}

/** The client's end of a connection. */
function toAlteredPipe(end: Duplex, version: Version, alteration: Alteration | null): AlteredPipe {
  const split = createSplitter(version)
  const ready: Buffer[] = []
  let held: Unit | null = null
  let wake = () => {}
  let isEnded = false
  const pipe = {
    seen: 0,
    seenAtWrites: new Set<number>(),
    async read(): Promise<Uint8Array | null> {
      while (ready.length === 0 && !isEnded) await new Promise<void>((resolve) => (wake = resolve))
      return ready.shift() ?? null
    },
    write: async (bytes: Uint8Array) => {
      pipe.seenAtWrites.add(pipe.seen)
      end.write(bytes)
    },
    close: () => void end.destroy(),
  }
  const deliver = (unit: Unit) => {
    const isAltered = pipe.seen++ === alteration?.index
    if (isAltered && !alteration.isAlone) held = unit
    else ready.push(...toSent(unit, isAltered).map(toRecord))
  }
  const toSent = (unit: Unit, isAltered: boolean): readonly Unit[] => {
    const first = held
    held = null
    if (!alteration || (!first && !isAltered)) return [unit]
    return alteration.alter(first ? [first, unit] : [unit])
  }
  end.on('data', (data: Buffer) => {
    for (const unit of split(data)) deliver(unit)
    wake()
  })
  end.on('close', () => {
    isEnded = true
    wake()
  })
  return pipe
}

/** Reason of the failure, or what the server sent behind the handshake; and how many units that took, with their turns. */
async function handshake(version: Version, alteration: Alteration | null = null) {
  const [clientSide, serverSide] = duplexPair()
  const tls = new TLSSocket(serverSide as never, {
    isServer: true,
    cert: server.pem,
    key: keyPem(server.key),
    minVersion: version,
    maxVersion: version,
  })
  tls.on('error', () => serverSide.destroy())
  const pipe = toAlteredPipe(clientSide, version, alteration)
  let seen = 0
  const read = async () => {
    const opened = await openTls(pipe, NAME, checkChain)
    seen = pipe.seen
    tls.write('hello') // behind the handshake, not with its last record
    return Buffer.from((await opened.read()) ?? []).toString()
  }
  try {
    return {
      reason: `read ${await withDeadline(alteration ? WAIT_MS.altered : WAIT_MS.honest, read(), () => pipe.close())}`,
      seen,
      turns: pipe.seenAtWrites,
    }
  } catch (error) {
    return { reason: error instanceof DirectoryError ? error.reason : String(error), seen, turns: pipe.seenAtWrites }
  } finally {
    tls.destroy()
    clientSide.destroy()
  }
}

/** Replaces the first unit; a message keeps a length that fits. */
const withBody =
  (change: (body: Buffer) => Buffer): Alter =>
  ([unit, ...rest]) => {
    if (!unit) return rest
    if (!unit.isMessage) return [{ ...unit, body: change(unit.body) }, ...rest]
    const content = change(unit.body.subarray(4))
    const body = Buffer.concat([unit.body.subarray(0, 4), content])
    body.writeUIntBE(content.length, 1, 3)
    return [{ ...unit, body }, ...rest]
  }
const flipped = (share: number): Alter =>
  withBody((body) => {
    const copy = Buffer.from(body)
    const at = Math.min(Math.floor(copy.length * share), copy.length - 1)
    if (at >= 0) copy[at] = (copy[at] ?? 0) ^ (1 << (Math.floor(share * 64) % 8))
    return copy.length === 0 ? Buffer.from([1]) : copy
  })

const ALTERATIONS: Readonly<Record<string, Alter>> = {
  'cut by a byte': withBody((body) => (body.length === 0 ? Buffer.from([0]) : body.subarray(0, -1))),
  'cut in half': withBody((body) => (body.length === 0 ? Buffer.from([0, 0]) : body.subarray(0, body.length >> 1))),
  'a byte longer': withBody((body) => Buffer.concat([body, Buffer.from([0])])),
  'with a length beyond its end': ([unit, ...rest]) => {
    if (!unit?.isMessage) return rest // a record has no other length than its own: it is left out
    const body = Buffer.from(unit.body)
    body.writeUIntBE(body.length + 60_000, 1, 3)
    return [{ ...unit, body }, ...rest]
  },
  'of another type': ([unit, ...rest]) => {
    const body = Buffer.from(unit?.body ?? [])
    body[0] = (body[0] ?? 0) ^ 0x11
    return unit ? [{ ...unit, body }, ...rest] : rest
  },
  repeated: ([unit, ...rest]) => (unit ? [unit, unit, ...rest] : rest),
  'left out': ([, ...rest]) => rest,
  'behind the next one': ([unit, ...rest]) => (rest.length > 0 && unit ? [...rest, unit] : []),
  ...Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`with a bit flipped at ${i}/16`, flipped(i / 16)] as const),
  ),
  'with its last bit flipped': flipped(1),
}

it.each(['TLSv1.2', 'TLSv1.3'] as const)('%s: unaltered, the handshake succeeds', async (version) => {
  expect((await handshake(version)).reason).toBe('read hello')
})

it('each message, altered in each way, ends the handshake with a reason of ours', async () => {
  const offenders = await findOffenders(
    (['TLSv1.2', 'TLSv1.3'] as const).flatMap((version) =>
      Object.entries(ALTERATIONS).map(([title, alter]) => ({ version, title, alter })),
    ),
  )(async ({ version, title, alter }) => {
    const { seen, turns } = await handshake(version)
    expect(seen).toBeGreaterThanOrEqual(3)
    const isAlone = (index: number) => index + 1 === seen || turns.has(index + 1)
    const all = await Promise.all(
      Array.from({ length: seen }, (_, index) => handshake(version, { alter, index, isAlone: isAlone(index) })),
    )
    // In TLS 1.3 ChangeCipherSpec means nothing (RFC 8446 §D.4): without it, or with it twice, nothing is wrong.
    const meaningless = ['repeated', 'left out', 'behind the next one', 'with a length beyond its end']
    const isMeaningless = (index: number) => version === 'TLSv1.3' && index <= 1 && meaningless.includes(title)
    const reasons = all.filter((_, index) => !(index === 1 && isMeaningless(index))).map(({ reason }) => reason)
    for (const reason of reasons) expect(DIRECTORY_FAILURES).toContain(reason)
  })
  expect(offenders).toEqual([])
})
