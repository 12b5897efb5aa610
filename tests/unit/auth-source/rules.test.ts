import { describe, expect, it } from 'vitest'
import type { AuthSourceForm } from '#contract/auth-source/index.ts'
import { sourceCode } from '#contract/auth-source/index.ts'
import { checkTenant, matchMember, phoneOf } from '#domain/auth-source/match.ts'
import { browserDevice } from '#contract/client/index.ts'
import { confirmCodeText, deviceText, signInPage } from '#domain/auth-source/sign-in-page.ts'
import {
  type SourceValues,
  checkSourceEdit,
  isOtherOrganisation,
  nextTenant,
  refusedBy,
  toSourceValues,
  checkOwnDomain,
  formatSourceCode,
  nameWithSource,
} from '#domain/auth-source/source.ts'
import { egressAddress, redirectUri, vendorPlace } from '#domain/auth-source/vendor-place.ts'

const VALUES: SourceValues = {
  type: 'wechat',
  name: 'a',
  appId: 'ww1',
  agentId: '1',
  corpId: '',
  authDomain: '',
  fileName: '',
  fileContent: '',
}

describe('directory 5 · values of a source', () => {
  const form: AuthSourceForm = {
    type: 'wechat',
    name: 'a',
    app_id: 'x',
    app_secret: 's',
    agent_id: '7',
    corp_id: 'c',
    auth_domain: 'SSO.acme.com',
    file_name: 'f',
    file_content: 't',
  }
  it.each([
    ['wechat', { agentId: '7', corpId: '', authDomain: 'sso.acme.com', fileName: 'f', fileContent: 't' }],
    ['feishu', { agentId: '', corpId: '', authDomain: '', fileName: '', fileContent: '' }],
    ['dingtalk', { agentId: '', corpId: 'c', authDomain: '', fileName: '', fileContent: '' }],
  ] as const)('%s has its own fields alone', (type, expected) => {
    expect(toSourceValues({ ...form, type }, 'sso.acme.com')).toEqual({ type, name: 'a', appId: 'x', ...expected })
  })
  it('without a domain there is no file', () => {
    expect(toSourceValues(form, '')).toMatchObject({ authDomain: '', fileName: '', fileContent: '' })
  })

  it.each([
    [{}, false, undefined],
    [{ name: 'b', authDomain: 'x' }, false, undefined],
    [{ appId: 'ww2' }, false, 'AUTH_SOURCE_SECRET_AGAIN'],
    [{ agentId: '2' }, false, 'AUTH_SOURCE_SECRET_AGAIN'],
    [{ corpId: 'd' }, false, 'AUTH_SOURCE_SECRET_AGAIN'],
    [{ appId: 'ww2' }, true, undefined],
    [{ type: 'feishu' as const }, true, 'AUTH_SOURCE_TYPE_FIXED'],
  ])('an edit by %o with a secret: %s', (over, hasSecret, expected) => {
    expect(checkSourceEdit({ ...VALUES, ...over }, VALUES, hasSecret)?.key).toBe(expected)
  })

  it.each([
    // after, before, another organisation, the tenant to record
    [{ tenant: 't' }, { tenant: 't' }, false, 't'],
    [{ tenant: '' }, { tenant: 't' }, false, 't'],
    [{ tenant: 't' }, { tenant: '' }, false, 't'],
    [{ tenant: 'u' }, { tenant: 't' }, true, 'u'],
    [{ tenant: '', appId: 'b' }, { tenant: 't' }, true, ''],
    [{ tenant: 't', corpId: 'd' }, { tenant: 't' }, true, 't'],
  ])('%o after %o', (after, before, isOther, tenant) => {
    const same = { appId: 'a', corpId: 'c' }
    expect(isOtherOrganisation({ ...same, ...after }, { ...same, ...before })).toBe(isOther)
    expect(nextTenant({ ...same, ...after }, { ...same, ...before })).toBe(tenant)
  })

  it('a refusal keeps the vendor’s words on one line, and not all of them', () => {
    const { params } = refusedBy('dingtalk', {
      refused: true,
      code: 'x',
      field: 'app_id',
      message: ` a\n\u202Eb\0 ${'👍'.repeat(300)}`,
    })
    expect(params).toEqual({ vendor: '钉钉', code: 'x', message: `a b ${'👍'.repeat(196)}` })
  })
})

describe('directory 3 · a callback domain', () => {
  it.each([
    ['', 'x', 'y', undefined],
    ['sso.acme.com', 'WW_verify_abcdefgh.txt', 'abcdefgh', undefined],
    ['sso.acme.com', 'WW_verify_abcdefgh.txt', 'abcdefgi', 'AUTH_DOMAIN_FILE'],
    ['sso.acme.com', 'WW_verify_abcdefg.txt', 'abcdefg', 'AUTH_DOMAIN_FILE'],
    ['sso.acme.com', 'ww_verify_abcdefgh.txt', 'abcdefgh', 'AUTH_DOMAIN_FILE'],
    ['sso.acme.com', 'WW_verify_abcdefgh.txt.html', 'abcdefgh', 'AUTH_DOMAIN_FILE'],
    ['sso.acme.com', '', '', 'AUTH_DOMAIN_FILE'],
    ['console.netloom.cn', 'WW_verify_abcdefgh.txt', 'abcdefgh', 'AUTH_DOMAIN_INVALID'],
    ['a.lantu.netloom.cn', 'WW_verify_abcdefgh.txt', 'abcdefgh', 'AUTH_DOMAIN_INVALID'],
    ['acme', 'WW_verify_abcdefgh.txt', 'abcdefgh', 'AUTH_DOMAIN_INVALID'],
    ['sso.corp', 'WW_verify_abcdefgh.txt', 'abcdefgh', 'AUTH_DOMAIN_INVALID'],
    ['192.0.2.1', 'WW_verify_abcdefgh.txt', 'abcdefgh', 'AUTH_DOMAIN_INVALID'],
  ])('%s with %s and %s', (authDomain, fileName, fileContent, expected) => {
    expect(checkOwnDomain({ ...VALUES, authDomain, fileName, fileContent })?.key).toBe(expected)
  })
})

describe('directory 3 · values for a vendor’s console', () => {
  it.each([
    [{}, ''],
    [{ EGRESS_PROXY_BASE: '' }, ''],
    [{ EGRESS_PROXY_BASE: 'https://198.51.100.7' }, '198.51.100.7'],
    [{ EGRESS_PROXY_BASE: 'https://198.51.100.7:8443/x' }, '198.51.100.7'],
    [{ EGRESS_PROXY_BASE: 'https://[2001:db8::7]:8443' }, '2001:db8::7'],
    [{ EGRESS_PROXY_BASE: 'https://1.2.3.4.example.com' }, ''],
    [
      { EGRESS_PROXY_BASE: 'https://relay.example.com', EGRESS_ADDRESS: '198.51.100.8,198.51.100.9' },
      '198.51.100.8,198.51.100.9',
    ],
    [{ EGRESS_ADDRESS: '198.51.100.8' }, ''],
  ])('the address of %o', (env, expected) => {
    expect(egressAddress(env)).toBe(expected)
  })
  it('the address that browsers come back to', () => {
    expect(redirectUri('http://localhost:8787', '')).toBe('http://localhost:8787/auth/callback')
    expect(redirectUri('http://localhost:8787', 'sso.acme.com')).toBe('https://sso.acme.com/auth/callback')
    expect(vendorPlace({}, 'http://localhost:8787', '')).toEqual({
      white_ip: '',
      notice: '未配置固定出口',
      auth_domain: 'localhost:8787',
      redirect_uri: 'http://localhost:8787/auth/callback',
    })
  })
})

describe('directory 3 · who a person is', () => {
  it.each([
    ['86', '13800000000', { areaCode: '86', phone: '13800000000' }],
    ['+86', '138 0000-0000', { areaCode: '86', phone: '13800000000' }],
    ['', '13800000000', null],
    ['86', '', null],
    ['86', '+-', null],
  ])('+%s %s', (areaCode, phone, expected) => {
    expect(phoneOf({ areaCode, phone })).toEqual(expected)
  })

  const person = { tenant: 't', userId: 'u', areaCode: '', phone: '' }
  it.each([
    ['t', {}, undefined],
    ['', {}, undefined],
    ['other', {}, 'AUTH_MEMBER_OUTSIDER'],
    ['t', { tenant: '' }, 'AUTH_MEMBER_OUTSIDER'],
    ['T', {}, 'AUTH_MEMBER_OUTSIDER'],
    ['', { userId: '' }, 'AUTH_MEMBER_OUTSIDER'],
  ])('recorded “%s”, %o', (recorded, over, expected) => {
    expect(checkTenant(recorded, { ...person, ...over })?.key).toBe(expected)
  })

  const phone = { areaCode: '86', phone: '1' }
  const refused = (key: string) => ({ refused: { key, params: {} } })
  it.each([
    ['bound and by phone', phone, ['a'], ['b'], { member: 'a' }],
    ['bound', null, ['a'], [], { member: 'a' }],
    ['by phone', phone, [], ['b'], { member: 'b' }],
    ['nobody', phone, [], [], refused('AUTH_MEMBER_NONE')],
    ['two', phone, [], ['a', 'b'], refused('AUTH_MEMBER_MANY')],
    ['without a phone', null, [], ['a'], 'phone_needed'],
  ])('%s', (_, given, bound, byPhone, expected) => {
    expect(matchMember(given, bound, byPhone)).toEqual(expected)
  })
})

describe('directory 3 · the source ID', () => {
  it.each([
    ['K7Q2-9XTM', 'K7Q29XTM'],
    [' k7q2 9xtm ', 'K7Q29XTM'],
    ['Ｋ７Ｑ２９ＸＴＭ', 'K7Q29XTM'],
    ['oOiI-lL00', '00111100'],
    ['K7Q2-9XT', null],
    ['K7Q2-9XTMM', null],
    ['K7Q2-9XTU', null],
    ['', null],
  ])('%s', (typed, expected) => {
    expect(sourceCode.safeParse(typed).data ?? null).toBe(expected)
  })
  it('reads as two groups', () => expect(formatSourceCode('K7Q29XTM')).toBe('K7Q2-9XTM'))
  it.each([
    ['Netloom.exe', 'Netloom-K7Q2-9XTM.exe'],
    ['client-1.2.0.tar.gz', 'client-1.2.0-K7Q2-9XTM.tar.gz'],
    ['client', 'client-K7Q2-9XTM'],
    ['织联.dmg', '织联-K7Q2-9XTM.dmg'],
  ])('in the name of %s', (name, expected) => expect(nameWithSource(name, 'K7Q29XTM')).toBe(expected))
})

describe('directory 3 · pages of a sign-in', () => {
  const evil = '"><script>alert(1)</script>'
  it.each([
    { kind: 'done', member: evil },
    { kind: 'done', member: '' },
    { kind: 'confirm', member: evil, token: evil, code: evil, ip: evil, device: evil, startedAt: 0 },
    { kind: 'in_app', url: `https://vendor.example/${evil}` },
    { kind: 'refused', sentence: evil },
  ] as const)('show texts as texts: $kind', (page) => {
    const { title, body } = signInPage(page, () => '')
    expect(title).toMatch(/^\p{Script=Han}+$/u)
    expect(body).not.toContain('<script')
  })

  it.each([
    [{}, '未提供名称的设备'],
    [{ device_name: '张伟的笔记本' }, '张伟的笔记本'],
    [{ os: 'windows', sys_version: '11' }, 'Windows 11'],
    [{ device_name: 'pc-1', os: 'linux', sys_brand: 'Lenovo', sys_model: 'X1' }, 'pc-1（Lenovo X1，Linux）'],
  ] as const)('describe the device %j', (sent, text) => expect(deviceText(browserDevice.parse(sent))).toBe(text))

  it('show the code in two groups', () => expect(confirmCodeText('048291')).toBe('048 291'))
})
