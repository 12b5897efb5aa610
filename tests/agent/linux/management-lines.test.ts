import { describe, expect, it } from 'vitest'
import { type AuthorizeDial, decideAdmission, sessionBegin } from '#infra/agent/drivers/linux/openvpn/admission.ts'
import type { DialSession } from '#infra/agent/drivers/linux/openvpn/dial-sessions.ts'
import {
  type ClientBlock,
  type ManagementEvent,
  readManagementLine,
  readSession,
} from '#infra/agent/drivers/linux/openvpn/management-lines.ts'
import type { WantedProcess } from '#infra/agent/drivers/linux/openvpn/wanted.ts'

function read(...lines: string[]): ManagementEvent[] {
  let block: ClientBlock | null = null
  return lines.flatMap((line) => {
    const result = readManagementLine(line, block)
    block = result.block
    return result.event ?? []
  })
}

describe('lines of the management interface', () => {
  it('are states, byte counts and replies', () => {
    expect(
      read(
        ">INFO:OpenVPN Management Interface Version 5 -- type 'help' for more info",
        '>STATE:1795907331,CONNECTED,SUCCESS,100.64.0.21,203.0.113.10,20000,,',
        '>BYTECOUNT:10,20',
        '>BYTECOUNT_CLI:3,30,40',
        'SUCCESS: real-time state notification set to ON',
        '>BYTECOUNT:x,20',
        '>STATE:',
        ">PASSWORD:Verification Failed: 'Auth' ['账号已停用']",
      ),
    ).toEqual([
      {
        type: 'state',
        state: 'CONNECTED',
        localIp: '100.64.0.21',
        remoteIp: '203.0.113.10',
        remote: '203.0.113.10:20000',
      },
      { type: 'bytes', rx: 10, tx: 20 },
      { type: 'client-bytes', cid: 3, rx: 30, tx: 40 },
      { type: 'reply', line: 'SUCCESS: real-time state notification set to ON' },
      { type: 'state', state: '', localIp: '', remoteIp: '', remote: '' },
      { type: 'notice', kind: 'PASSWORD', text: "Verification Failed: 'Auth' ['账号已停用']" },
    ])
  })

  it('are notifications of clients with their environment, also between others', () => {
    const [state, client] = read(
      '>CLIENT:CONNECT,3,1',
      '>CLIENT:ENV,username=a.b@qiming',
      '>STATE:1,CONNECTED,SUCCESS',
      '>CLIENT:ENV,password=x=y,z',
      '>CLIENT:ENV,username=other',
      '>CLIENT:ENV,=nameless',
      '>CLIENT:ENV,END',
    )
    expect(state).toEqual({ type: 'state', state: 'CONNECTED', localIp: '', remoteIp: '', remote: '' })
    expect(client).toMatchObject({ type: 'client', event: 'CONNECT', cid: 3, kid: 1 })
    expect([...(client as Extract<ManagementEvent, { type: 'client' }>).env]).toEqual([
      ['username', 'a.b@qiming'],
      ['password', 'x=y,z'],
    ])
  })

  it('without an environment open no notification', () => {
    expect(
      read('>CLIENT:ADDRESS,3,100.64.16.9,1', '>CLIENT:ENV,END', '>CLIENT:CONNECT,x,1', '>CLIENT:ENV,END'),
    ).toEqual([])
  })

  it('of the log name a client whose certificate is revoked, and nothing else', () => {
    const eventOf = (text: string) => readManagementLine(`>LOG:1795907331,N,${text}`, null).event
    const refused = '203.0.113.31:41527 VERIFY ERROR: depth=0, error=certificate revoked: CN=NL-P1'
    expect(eventOf(`${refused}, serial=4097`)).toEqual({ type: 'revoked', name: 'NL-P1' })
    expect(eventOf(refused)).toEqual({ type: 'revoked', name: 'NL-P1' })
    for (const text of [
      refused.replace('depth=0', 'depth=1'),
      refused.replace('revoked', 'has expired'),
      `${refused} x`,
    ])
      expect(eventOf(text)).toBeNull()
  })

  it('list sessions', () => {
    const line = 'CLIENT_LIST\tNL-P1\t203.0.113.31:34717\t\t\t9\t8\tdate\t1795907331\tUNDEF\t7\t0\tAES-256-GCM'
    expect(readSession(line)).toEqual({
      name: 'NL-P1',
      remote: '203.0.113.31:34717',
      address: '',
      cid: 7,
      cipher: 'AES-256-GCM',
      since: 1_795_907_331,
      rx: 9,
      tx: 8,
    })
    expect(readSession('HEADER\tCLIENT_LIST\tCommon Name')).toBeNull()
    expect(readSession('CLIENT_LIST\tNL-P1')).toBeNull()
  })
})

describe('answer to a dial', () => {
  const wanted: WantedProcess = {
    network: 'N1',
    role: 'software-server',
    peer: null,
    config: '',
    text: '',
    port: 1,
    clients: { 'a.b@qiming': '{"ip":"100.64.16.9","mask":20,"version":0}\n' },
    pushed: ['push "route 10.0.0.0 255.0.0.0"'],
  }
  const ALLOWED = { ok: true, reason: '' }
  const asksNobody: AuthorizeDial = () => Promise.reject(new Error('the hub is asked'))
  const SESSION: DialSession = { id: 'S1', network: 'N1', name: 'a.b@qiming', profile: 7, version: 2 }
  const sources = (authorizeDial: AuthorizeDial, { entryTime = 0, kept = [SESSION] } = {}) => {
    const sessions = new Map(kept.map((each) => [each.id, each]))
    return {
      authorizeDial,
      entryTime: async () => entryTime,
      sessions: {
        find: (id: string) => sessions.get(id) ?? null,
        add: (session: DialSession) => void sessions.set(session.id, session),
        endings: () => 0,
      },
    }
  }
  /** Environment of a renewed session that began at that second. */
  const renewed = (over: Record<string, string> = {}) => {
    const begin = Buffer.alloc(60)
    begin.writeBigInt64BE(1_795_907_331n, 12)
    return {
      username: 'a.b@qiming',
      password: `SESS_ID_AT_${begin.toString('base64')}`,
      session_state: 'Authenticated',
      session_id: 'S1',
      ...over,
    }
  }
  const dial = (env: Record<string, string>, kid: number | null = 1) =>
    ({ type: 'client', event: 'CONNECT', cid: 3, kid, env: new Map(Object.entries(env)) }) as const

  it('gives address and options of the document', async () => {
    const answer = await decideAdmission(
      dial({ username: 'a.b@qiming' }),
      wanted,
      sources(async () => ALLOWED),
    )
    expect(answer.admitted).toBe('a.b@qiming')
    expect(answer.command.split('\n')).toEqual([
      'client-auth 3 1',
      'ifconfig-push 100.64.16.9 255.255.240.0',
      'push "route 10.0.0.0 255.0.0.0"',
      'END',
    ])
  })

  it('asks with what the client sent, and refuses with the sentence of the hub', async () => {
    const asked: unknown[] = []
    const env = {
      username: 'u',
      password: 'p',
      session_state: 'Initial',
      session_id: 'S9',
      untrusted_ip: '198.51.100.7',
      IV_PLAT: 'win',
      IV_VER: '2'.repeat(99),
    }
    const authorize: AuthorizeDial = async (request) => {
      asked.push(request)
      return { ok: false, reason: '账号已停用' }
    }
    const answer = await decideAdmission(dial(env), wanted, sources(authorize))
    expect(answer).toEqual({ command: 'client-deny 3 1 "refused" "账号已停用"', admitted: null })
    expect(asked).toEqual([
      {
        network_number: 'N1',
        name: 'u',
        secret: 'p',
        renewed: false,
        session: 'S9',
        profile: null,
        credential_version: null,
        remote: '198.51.100.7',
        os: 'windows',
        version: '2'.repeat(32),
      },
    ])
  })

  /** Sends `IV_PROTO` of OpenVPN 2.6; 2.5 sends 94. */
  const KNOWS_TEMPORARY = { username: 'u', password: 'p', IV_PROTO: '990' }
  const refusedWith =
    (cause?: string): AuthorizeDial =>
    async () => ({ ok: false, reason: '拨入请求较多，请稍候重试', cause })

  it.each([
    ['a cause that passes', KNOWS_TEMPORARY, 'DIAL_BUSY', 'TEMP[backoff 18,advance remote]:'],
    ['its bit alone', { ...KNOWS_TEMPORARY, IV_PROTO: '256' }, 'DIAL_AWAY', 'TEMP[backoff 13,advance remote]:'],
    ['an older client', { ...KNOWS_TEMPORARY, IV_PROTO: '94' }, 'DIAL_BUSY', ''],
    ['a client that says nothing', { username: 'u' }, 'DIAL_BUSY', ''],
    ['a client that says something else', { ...KNOWS_TEMPORARY, IV_PROTO: 'all' }, 'DIAL_BUSY', ''],
    ['a cause that lasts', KNOWS_TEMPORARY, 'DIAL_PROFILE_OVER', ''],
    ['an earlier hub, which names none', KNOWS_TEMPORARY, undefined, ''],
  ])('lets a client try again for %s', async (_, env, cause, form) => {
    const { command } = await decideAdmission(dial(env), wanted, sources(refusedWith(cause)))
    expect(command).toBe(`client-deny 3 1 "refused" "${form}拨入请求较多，请稍候重试"`)
  })

  it('lets a member try again whose configuration has not arrived, at a second of its own', async () => {
    const commands = [0, 1, 2, 3].map(async (cid) => {
      const client = { ...dial({ ...KNOWS_TEMPORARY, username: 'new@qiming' }), cid }
      return (
        await decideAdmission(
          client,
          wanted,
          sources(async () => ALLOWED),
        )
      ).command
    })
    expect(await Promise.all(commands)).toEqual(
      [3, 4, 5, 3].map(
        (seconds, cid) =>
          `client-deny ${cid} 1 "refused" "TEMP[backoff ${seconds},advance remote]:该账号的配置正在下发，请稍候重试"`,
      ),
    )
  })

  it('sends a session of another centre back to its own token, which is no failed sign-in', async () => {
    const env = { username: 'a.b@qiming', password: 'SESS_ID_AT_QUJD', session_state: 'Invalid' }
    const answer = await decideAdmission(dial(env), wanted, sources(asksNobody))
    expect(answer.command).toBe('client-deny 3 1 "refused" "拨入凭证已过期，请重新拨入"')
  })

  it.each([
    [
      'that began before the member had its entry is over',
      1_795_907_331_500,
      'client-deny 3 1 "refused" "拨入凭证已过期，请重新拨入"',
    ],
    ['that began after it goes on', 1_795_907_330_999, 'client-auth 3 1'],
  ])('a session %s, whatever its token says', async (_, entryTime, command) => {
    const answer = await decideAdmission(
      dial(renewed()),
      wanted,
      sources(async () => ALLOWED, { entryTime }),
    )
    expect(answer.command.split('\n')[0]).toBe(command)
  })

  it('a renewed session is asked for with its profile and version, an initial one is kept with those of the hub', async () => {
    const asked: unknown[] = []
    const all = sources(async (dialling) => {
      asked.push([dialling.profile, dialling.credential_version])
      return { ...ALLOWED, profile: 9, credential_version: 3 }
    })
    await decideAdmission(dial(renewed()), wanted, all)
    expect(all.sessions.find('S1')).toEqual(SESSION)
    await decideAdmission(dial({ username: 'a.b@qiming', password: 'token', session_id: 'S2' }), wanted, all)
    expect(all.sessions.find('S2')).toEqual({ ...SESSION, id: 'S2', profile: 9, version: 3 })
    await decideAdmission(dial(renewed({ session_id: 'S2' })), wanted, all)
    expect(asked).toEqual([
      [7, 2],
      [null, null],
      [9, 3],
    ])
  })

  it.each([
    ['nobody knows', { session_id: 'S2' }],
    ['has no id', { session_id: '' }],
    ['is that of another member', { username: 'b@qiming' }],
  ])('a renewed session that %s dials by its token, and the hub is not asked', async (_, over) => {
    const clients = { ...wanted.clients, 'b@qiming': wanted.clients['a.b@qiming']! }
    const answer = await decideAdmission(dial(renewed(over)), { ...wanted, clients }, sources(asksNobody))
    expect(answer.command).toBe('client-deny 3 1 "refused" "拨入凭证已过期，请重新拨入"')
  })

  it('a renewed session that is ended while the hub is asked is refused', async () => {
    const all = sources(async () => ALLOWED)
    let isEnded = false
    const find = (id: string) => (isEnded ? null : all.sessions.find(id))
    const authorizeDial: AuthorizeDial = async () => {
      isEnded = true
      return ALLOWED
    }
    const answer = await decideAdmission(dial(renewed()), wanted, {
      ...all,
      authorizeDial,
      sessions: { ...all.sessions, find },
    })
    expect(answer.admitted).toBeNull()
  })

  it('a new dial whose member loses its entry while the hub is asked is refused for now', async () => {
    const all = sources(async () => ALLOWED)
    let count = 0
    const authorizeDial: AuthorizeDial = async () => {
      count += 1
      return ALLOWED
    }
    const env = { ...KNOWS_TEMPORARY, username: 'a.b@qiming', session_id: 'S2' }
    const answer = await decideAdmission(dial(env), wanted, {
      ...all,
      authorizeDial,
      sessions: { ...all.sessions, endings: () => count },
    })
    expect(answer.admitted).toBeNull()
    expect(answer.command).toContain('该账号的配置正在下发，请稍候重试')
    expect(all.sessions.find('S2')).toBeNull()
  })

  it.each(['', 'SESS_ID_AT_', 'SESS_ID_AT_QUJD', 'token'])('a token without a time began at no time: %j', (text) => {
    expect(sessionBegin(text)).toBe(0)
  })

  it.each(['a\nclient-kill 1', 'a"', 'a\\', '__proto__', 'constructor', ''])(
    'never carries a value of the client: %j',
    async (text) => {
      const env = { username: text, password: text, IV_PLAT: text, common_name: text }
      for (const verdict of [
        { ok: true, reason: '' },
        { ok: false, reason: `${text}x` },
      ]) {
        const answer = await decideAdmission(
          dial(env),
          wanted,
          sources(async () => verdict),
        )
        expect(answer.command).toMatch(/^client-deny 3 1 "refused" "[^"\\\n]+"$/)
      }
    },
  )
})
