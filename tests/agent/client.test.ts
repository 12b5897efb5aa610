import { createHash } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DialDocument } from '#contract/client/index.ts'
import { hasZeroBits } from '#domain/verify/proof-of-work.ts'
import { sha256 } from '#security/secrets.ts'
import { runClient } from '#infra/agent/client/client.ts'
import { parseClientLine } from '#infra/agent/options.ts'

interface Reply {
  readonly code: number
  readonly msg?: string
  readonly reason?: string
  readonly data: unknown
}
type Answer = (input: Record<string, string>, token: string) => Reply | Promise<Reply>

const DIAL: DialDocument = {
  mode: 2,
  ciphers: 'sm',
  dns: [],
  servers: [
    {
      kind: 'center',
      router_name: 'NL-C',
      proto: 'udp',
      remotes: [
        { host: '203.0.113.5', port: 20_001 },
        { host: '2001:db8::1', port: 20_001 },
      ],
      fixed: 1,
      segment: '100.64.16.0/20',
      gateway: '100.64.16.1',
      ip: '100.64.31.254',
      routes: [],
    },
  ],
}
const network = (dial: DialDocument | null, msg = '') => ({
  network_number: 'N1',
  network_name: '生产网',
  network_status: 1,
  msg,
  dial,
})
const profile = (...networks: ReturnType<typeof network>[]): Reply => ({
  code: 200,
  data: { router_name: 'li.na@qiming', note: '', phone: '', networks },
})
const session = (n: number): Reply => ({
  code: 200,
  data: { router_name: 'li.na@qiming', access_token: `a${n}`, token_expire_time: 1800, refresh_token: `r${n}` },
})

let service: Server
let url: string
let state: string
let answers: Record<string, Answer>
const calls: string[] = []

beforeEach(async () => {
  calls.length = 0
  answers = {
    'client/login': () => session(1),
    'client/refresh': () => session(2),
    'client/profile': () => profile(network(DIAL)),
    'client/logout': () => ({ code: 200, data: null }),
  }
  service = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const path = request.url?.split('?')[0]?.replace('/api/v1/', '') ?? ''
      const body = Buffer.concat(chunks).toString()
      calls.push(`${path} ${body}`.trim())
      const input = body === '' ? {} : (JSON.parse(body) as Record<string, string>)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(await answers[path]!(input, request.headers.authorization ?? '')))
    })
  })
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  state = await mkdtemp(join(tmpdir(), 'netloom-client-'))
  await writeFile(join(state, 'password'), 'Weilai26\n', { mode: 0o600 })
})
afterEach(async () => {
  await new Promise((closed) => service.close(closed))
  await rm(state, { recursive: true, force: true })
})

async function run(...extra: string[]): Promise<string[]> {
  const given = ['--server', url, '--name', 'li.na@qiming', '--state', state]
  const lines: string[] = []
  const line = parseClientLine([...given, '--password-file', join(state, 'password'), ...extra])
  await runClient(line, (text) => lines.push(text))
  return lines
}
const files = () => readdir(join(state, 'network/current')).then((names) => names.toSorted())

describe('a software member’s client', () => {
  it('signs in, prints what it may dial and renders it for OpenVPN, without the password anywhere', async () => {
    expect(await run()).toEqual([
      'li.na@qiming: 1 networks',
      'network N1 生产网',
      '  dial mode centre first, ciphers sm',
      '  center NL-C at 203.0.113.5:20001, 2001:db8::1:20001: 100.64.31.254 in 100.64.16.0/20',
    ])
    expect(await files()).toEqual(['client-N1.ovpn'])
    const text = await readFile(join(state, 'network/current/client-N1.ovpn'), 'utf8')
    expect(text).toContain('remote 203.0.113.5 20001 udp4\n')
    expect(text).toContain('data-ciphers SM4-CBC\n')
    expect(text).not.toContain('2001:db8')
    const kept = await readFile(join(state, 'session.json'), 'utf8')
    expect(JSON.parse(kept)).toEqual({ router_name: 'li.na@qiming', refresh_token: 'r1' })
    expect(kept + text).not.toContain('Weilai26')
  })

  it('renews the session of the last run; one that is over signs in again', async () => {
    await run()
    await run()
    expect(calls.map((call) => call.split(' ')[0])).toEqual([
      'client/login',
      'client/profile',
      'client/refresh',
      'client/profile',
    ])
    answers['client/refresh'] = () => ({
      code: 2002,
      msg: '登录状态已失效，请重新登录',
      reason: 'SESSION_REVOKED',
      data: null,
    })
    await run()
    expect(calls.at(-2)).toMatch(/^client\/login/)
  })

  it('signs in with a browser, by the only source or the one that is chosen', async () => {
    const sources = [
      { id: 7, type: 'wechat', name: '企业微信' },
      { id: 8, type: 'feishu', name: '飞书' },
    ]
    const started: Record<string, string>[] = []
    let polls = 0
    answers['client/auth_source'] = () => ({ code: 200, data: sources })
    answers['client/auth/start'] = (input) => {
      started.push(input)
      const times = { expires_in: 600, interval: 0 }
      return {
        code: 200,
        data: { url: 'https://vendor.example/x', request_id: 'q1', confirm_code: '048291', ...times },
      }
    }
    answers['client/auth/token'] = ({ request_id, verifier }) => {
      const { challenge } = started.at(-1)!
      expect([request_id, createHash('sha256').update(verifier!).digest('base64url')]).toEqual(['q1', challenge])
      const isDone = ++polls > 2
      return { code: 200, data: { status: isDone ? 'done' : 'pending', session: isDone ? session(3).data : null } }
    }
    const bySource = ['--server', url, '--state', state, '--auth-source', 'K7Q2-9XTM']
    await expect(runClient(parseClientLine(bySource), () => {})).rejects.toThrow(
      '7 (wechat, 企业微信), 8 (feishu, 飞书)',
    )
    const lines: string[] = []
    await runClient(parseClientLine([...bySource, '--auth-type', 'feishu']), (text) => lines.push(text))
    expect(started).toMatchObject([
      { source_code: 'K7Q2-9XTM', type: 'feishu', id: 8, os: 'linux', device_name: hostname() },
    ])
    expect(lines[1]).toBe('https://vendor.example/x')
    expect(lines[2]).toContain('the code 048 291')
    expect(lines[3]).toBe('li.na@qiming: 1 networks')
    expect(polls).toBe(3)
    expect(JSON.parse(await readFile(join(state, 'session.json'), 'utf8'))).toMatchObject({ refresh_token: 'r3' })
    answers['client/refresh'] = () => ({ code: 2002, msg: '', reason: 'SESSION_REVOKED', data: null })
    answers['client/auth/token'] = () => ({
      code: 422,
      msg: '未找到匹配的成员',
      reason: 'AUTH_MEMBER_NONE',
      data: null,
    })
    const again = runClient(parseClientLine([...bySource, '--auth-type', '8']), () => {})
    await expect(again).rejects.toThrow('未找到匹配的成员')
  })

  it('does the work that is asked for', async () => {
    answers['verify/challenge'] = () => ({ code: 200, data: { challenge: 'c', difficulty: 8 } })
    answers['client/login'] = async ({ challenge, nonce }) =>
      challenge === 'c' && hasZeroBits(await sha256(`c.${nonce}`), 10)
        ? session(1)
        : { code: 401, msg: '失败次数较多，请完成安全验证后重试', reason: 'WORK_REQUIRED', data: { difficulty: 10 } }
    await run()
    expect(calls.filter((call) => call.startsWith('client/login'))).toHaveLength(2)
  })

  it('says what the service says, and keeps nothing then', async () => {
    answers['client/login'] = () => ({ code: 422, msg: '用户名或密码错误', reason: 'LOGIN_FAILED', data: null })
    await expect(run()).rejects.toThrow('用户名或密码错误')
    await expect(readFile(join(state, 'session.json'))).rejects.toThrow('ENOENT')
  })

  it('a network that cannot be dialled any more leaves the folder', async () => {
    await run()
    answers['client/profile'] = () => profile(network(null, '该组网已停止服务，请联系管理员续费'))
    expect(await run()).toContain('network N1 生产网 (该组网已停止服务，请联系管理员续费)')
    expect(await files()).toEqual([])
  })

  it('--logout ends the session', async () => {
    await run()
    await run('--logout')
    expect(calls.at(-1)).toBe('client/logout {"refresh_token":"r1"}')
    await run()
    expect(calls.at(-2)).toMatch(/^client\/login/)
  })

  it.each([
    [['--name', 'a@b', '--state', 'x'], '--server and --state are required'],
    [['--server', 'https://example.com', '--state', 'x'], '--name or --auth-source is required'],
    [['--server', 'http://example.com', '--name', 'a@b', '--state', 'x'], 'http is refused'],
  ])('refuses %o', (argv, message) => {
    expect(() => parseClientLine(argv)).toThrow(message)
  })
})
