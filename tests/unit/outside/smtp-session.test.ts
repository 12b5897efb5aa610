import { describe, expect, it } from 'vitest'
import { SmtpSession, type SmtpSocket } from '#outside/smtp-session.ts'

/** A socket that gives these pieces as they are, then ends or stays silent; `written` is what was sent. */
function createSocket(pieces: readonly string[], { isOpen = false, tls = undefined as SmtpSocket | undefined } = {}) {
  const written: string[] = []
  const rest = [...pieces]
  const readable = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift()
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece))
      else if (!isOpen) controller.close()
      return isOpen && piece === undefined ? new Promise<void>(() => {}) : undefined
    },
  })
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) => void written.push(new TextDecoder().decode(chunk)),
  })
  const socket: SmtpSocket = {
    readable,
    writable,
    opened: Promise.resolve(),
    startTls: () => tls ?? socket,
    close: async () => {},
  }
  return { socket, written }
}

const talk = (...pieces: string[]) => new SmtpSession(createSocket(pieces).socket, ['hunter2'])

describe('replies', () => {
  it.each([
    [['250 ok\r\n'], ['ok']],
    [['250-a\r\n250-b\r\n250 c\r\n'], ['a', 'b', 'c']],
    [
      ['25', '0-a\r', '\n250', '-b b\r\n250 ', 'c\r\n'],
      ['a', 'b b', 'c'],
    ],
    [['250-a\n250 b\n'], ['a', 'b']],
    [['250\r\n'], ['']],
    [
      ['250-中', '文\r\n250 c\r\n'],
      ['中文', 'c'],
    ],
  ])('%j has the lines %j', async (pieces, lines) => {
    expect(await talk(...pieces).command(null, [250])).toEqual({ code: 250, lines })
  })

  it.each([
    [['hello\r\n'], 'REPLY'],
    [['250-a\r\n550 b\r\n'], 'REPLY'], // one reply, two codes
    [['2500 a\r\n'], 'REPLY'],
    [['250 never ends'], 'CLOSED'],
    [[], 'CLOSED'],
    [['250-a\r\n'.repeat(4000)], 'REPLY'],
    [['x'.repeat(20_000)], 'REPLY'],
  ])('%j is none', async (pieces, code) => {
    await expect(talk(...pieces).command(null, [250])).rejects.toMatchObject({
      code,
      of: 'provider',
      isRetryable: true,
    })
  })

  it.each([
    ['450 later\r\n', true],
    ['550 never\r\n', false],
    ['354 go on\r\n', false],
  ])('%j is refused where 250 is expected', async (reply, isRetryable) => {
    await expect(talk(reply).command('RCPT TO:<a@b.cn>', [250], 'recipient')).rejects.toMatchObject({
      code: reply.slice(0, 3),
      of: 'recipient',
      isRetryable,
    })
  })

  it('quote no password and no address', async () => {
    const session = talk('535 5.7.8 bad credentials hunter2 for somebody@example.com from 203.0.113.77\r\n')
    await expect(session.command('AUTH', [235])).rejects.toThrow('535: 5.7.8 bad credentials *** for s***@e***')
  })
})

describe('commands', () => {
  it.each(['RCPT TO:<a@b.cn>\r\nRCPT TO:<c@d.cn>', 'EHLO x\nQUIT', 'EHLO \0'])('%j is never sent', async (line) => {
    const { socket, written } = createSocket(['250 ok\r\n'])
    await expect(new SmtpSession(socket, []).command(line, [250])).rejects.toThrow('line break')
    expect(written).toEqual([])
  })

  it.each([
    ['a\r\nb\r\n', 'a\r\nb\r\n.\r\n'],
    ['a\nb', 'a\r\nb\r\n.\r\n'],
    ['.\r\nQUIT\r\n', '..\r\nQUIT\r\n.\r\n'],
    ['a\r\n.\r\n..b\r\n', 'a\r\n..\r\n...b\r\n.\r\n'],
  ])('the message %j ends only where we end it', async (message, sent) => {
    const { socket, written } = createSocket(['250 queued\r\n'])
    await new SmtpSession(socket, []).data(message)
    expect(written).toEqual([sent])
  })
})

describe('STARTTLS', () => {
  it('goes on over the encrypted socket', async () => {
    const encrypted = createSocket(['250 hidden\r\n'])
    const { socket, written } = createSocket(['220 go\r\n'], { isOpen: true, tls: encrypted.socket })
    const session = new SmtpSession(socket, [])
    await session.command('STARTTLS', [220])
    await session.startTls()
    expect(await session.command('EHLO x', [250])).toMatchObject({ lines: ['hidden'] })
    expect([written, encrypted.written]).toEqual([['STARTTLS\r\n'], ['EHLO x\r\n']])
  })

  it('ends where something stands behind its reply in the clear', async () => {
    const session = talk('220 go\r\n250 injected\r\n')
    await session.command('STARTTLS', [220])
    await expect(session.startTls()).rejects.toMatchObject({ code: 'STARTTLS' })
  })
})
