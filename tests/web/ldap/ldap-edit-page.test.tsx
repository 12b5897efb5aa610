import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LdapEditPage } from '#pages/ldap/edit/ldap-edit-page.tsx'
import { LDAP_CONFIG, LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { openPage } from '../network/open-page.tsx'

const CHECKED = {
  data: {
    server: 'openldap',
    tls: '1.3',
    certificate: { subject: 'ldap.acme.example', issuer: 'Acme CA', expire_time: Date.parse('2027-11-20T02:00:00Z') },
    count: 2_000,
    phones_left: 1,
    sample: [
      { username: 'zhangsan', note: '张三', phone: '13800000000', phone_left: '', verify: '可导入' },
      { username: 'lisi', note: '李四', phone: '', phone_left: '手机号无法识别', verify: '可导入' },
    ],
  },
  notice: ['用户过滤条件排除了已禁用的用户，他们会显示为目录中已删除'],
}
const NONE = { 'ldap/config': { data: null }, 'network/select': { data: [] }, 'ldap/hardware': { data: [] } }
const STORED = { ...NONE, 'ldap/config': LDAP_REPLIES['ldap/config'] }

const create = (over: Parameters<typeof openPage>[2] = {}) =>
  openPage(<LdapEditPage />, '/router/ldap_edit?ldapType=create', { ...NONE, ...over })
const edit = (over: Parameters<typeof openPage>[2] = {}) =>
  openPage(<LdapEditPage />, '/router/ldap_edit?ldapType=edit', { ...STORED, ...over })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const field = (name: string | RegExp) => screen.findByRole('textbox', { name })

/** All that a public directory with a public CA needs. */
async function fill(): Promise<void> {
  const paste = async (name: string | RegExp, text: string) => {
    await userEvent.click(await screen.findByLabelText(name))
    await userEvent.paste(text)
  }
  await paste(/^域名/, 'acme.example')
  await paste(/^地址/, 'ldap.acme.example')
  await paste(/^端口/, '636')
  await paste(/^Base DN/, 'dc=acme,dc=example')
  await userEvent.click(screen.getByRole('switch', { name: '公共CA' }))
  await paste('用户名*', 'cn=reader')
  await paste(/^密码/, 's3cret')
}

describe('directory 4 · create', () => {
  it('asks for each missing value by name, and calls nobody', async () => {
    const { api } = create()
    await press('检测')
    for (const sentence of ['域名不能为空', '请输入地址', '请输入端口', 'Base DN不能为空', '用户名不能为空'])
      expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0)
    await userEvent.type(await field(/^域名/), 'acme')
    expect(await screen.findByText('请检查域名格式')).toBeTruthy()
    expect(api.last('ldap/check')).toBeUndefined()
  })

  it('marks every necessary field in one round, also those that a choice needs', async () => {
    const { api } = create()
    await press('检测')
    for (const sentence of ['请输入地址', '密码不能为空', '请上传文件'])
      expect(await screen.findByText(sentence)).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: '内网' }))
    await press('检测')
    for (const sentence of ['请选择硬件设备', '请输入地址', '密码不能为空', '请上传文件'])
      expect(await screen.findByText(sentence)).toBeTruthy()
    expect(api.last('ldap/check')).toBeUndefined()
  })

  it('says on 公共CA that another authority issued the certificate', async () => {
    const msg = '证书不是由公共CA签发，请关闭“公共CA”并上传CA证书'
    create({ 'ldap/check': { code: 422, msg, data: { field: 'public_ca' } } as object })
    await fill()
    await press('检测')
    expect(await screen.findByText(msg)).toBeTruthy()
  })

  it('lists devices that cannot lead to a directory now with the reason, and takes none of them', async () => {
    const device = (router_name: string, over: object = {}) => ({
      router_name,
      note: '',
      status: 1,
      online: 1,
      tunnel: 1,
      ...over,
    })
    create({
      'ldap/hardware': {
        data: [
          device('NL1'),
          device('NL2', { tunnel: null }),
          device('NL3', { tunnel: 0 }),
          device('NL4', { online: 0 }),
          device('NL5', { status: 0 }),
        ],
      },
    })
    await userEvent.click(await screen.findByRole('radio', { name: '内网' }))
    await userEvent.click(screen.getByRole('combobox', { name: '硬件设备' }))
    const options = await screen.findAllByRole('option')
    expect(options.map((option) => [option.textContent, option.getAttribute('aria-disabled') === 'true'])).toEqual([
      ['NL1（在线）', false],
      ['NL2（在线）', false],
      ['NL3（设备版本过低）', true],
      ['NL4（不在线）', true],
      ['NL5（已停用）', true],
    ])
  })

  it('proves the domain beside its field: download, and a verification that waits', async () => {
    const { api } = create({ 'ldap/verify_domain': { code: 423, msg: '域名尚未验证，请下载验证文件' } })
    expect(await screen.findByText('首次使用须验证域名归您所有')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '下载验证文件' })).toBeNull()
    await userEvent.type(await field(/^域名/), 'Acme.example')
    expect(await screen.findByRole('button', { name: '下载验证文件' })).toBeTruthy()
    await press('验证')
    await waitFor(() => expect(api.last('ldap/verify_domain')?.input).toEqual({ domain: 'acme.example' }))
    expect(await screen.findByText('域名尚未验证，请下载验证文件')).toBeTruthy()
    api.set('ldap/verify_domain', { msg: '域名验证成功' })
    await press('验证')
    expect(await screen.findByText('域名已验证')).toBeTruthy()
    expect(screen.queryByText('域名尚未验证，请下载验证文件')).toBeNull()
    expect(screen.queryByRole('button', { name: '下载验证文件' })).toBeNull()
  })

  it('checks first, saves what was checked, and checks again after an edit', async () => {
    const { api, router } = create({ 'ldap/check': CHECKED, 'ldap/save': { msg: '保存配置成功！' } })
    await fill()
    await press('检测')
    const result = within(await screen.findByRole('region', { name: '检测结果' }))
    for (const text of ['OpenLDAP', 'TLS 1.3', '2,000 个', 'zhangsan', '手机号无法识别'])
      expect(result.getByText(text)).toBeTruthy()
    expect(screen.getByText(CHECKED.notice[0]!)).toBeTruthy()
    const sent = api.last('ldap/check')?.input
    expect(sent).toMatchObject({ mode: 'public', use_ssl: 1, use_tls: 0, public_ca: 1, password: 's3cret' })

    await userEvent.type(await field('用户名'), '2')
    expect(screen.queryByRole('region', { name: '检测结果' })).toBeNull()
    await press('检测')
    await screen.findByRole('region', { name: '检测结果' })
    await press('保存')
    await waitFor(() => expect(router.state.location.pathname).toBe('/router/ldap'))
    expect(await screen.findByText('保存配置成功！')).toBeTruthy()
    expect(api.last('ldap/save')?.input).toEqual({ ...sent, username: 'cn=reader2' })
  })

  it('shows a refusal on its field, and keeps what was typed', async () => {
    create({
      'ldap/check': { code: 422, msg: '用户名或密码错误，请核对后重试', data: { field: 'username' } } as object,
    })
    await fill()
    await press('检测')
    expect(await screen.findByText('用户名或密码错误，请核对后重试')).toBeTruthy()
    expect((screen.getByLabelText(/^密码/) as HTMLInputElement).value).toBe('s3cret')
    expect(screen.getByRole('button', { name: '检测' })).toBeTruthy()
  })

  it('refuses a port that is no number as it was typed, and shows which ports the public mode has', async () => {
    const sentence = '公网模式仅支持389、636、3268、3269端口'
    create({ 'ldap/check': { code: 422, msg: sentence, data: { field: 'port' } } as object })
    await fill()
    const port = (await field('端口')) as HTMLInputElement
    expect(screen.getByText('通常为389，启用SSL时为636')).toBeTruthy()
    await userEvent.clear(port)
    await userEvent.type(port, '13a89')
    expect(port.value).toBe('13a89')
    await press('检测')
    expect(await screen.findByText('端口只能输入数字，不能包含“a”')).toBeTruthy()
    await userEvent.clear(port)
    await userEvent.type(port, '１389')
    expect(port.value).toBe('1389')
    await press('检测')
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(port.getAttribute('aria-invalid')).toBe('true')
  })

  it('offers the proof of a domain that is not proved, and goes on after it', async () => {
    const { api } = create({
      'ldap/check': {
        code: 423,
        msg: '域名尚未验证',
        reason: 'LDAP_DOMAIN_UNPROVED',
        file_name: 'netloom-0123.txt',
      } as object,
      'ldap/verify_domain': { code: 422, msg: '没有找到验证文件' },
    })
    await fill()
    await press('检测')
    const dialog = within(await screen.findByRole('dialog', { name: '验证域名“acme.example”' }))
    expect(dialog.getByText('https://acme.example/netloom-0123.txt')).toBeTruthy()
    expect(dialog.getByRole('button', { name: '下载验证文件' })).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '验证' }))
    expect(await dialog.findByText('没有找到验证文件')).toBeTruthy()
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    api.set('ldap/verify_domain', () => answered.then(() => ({ msg: '域名验证成功' })))
    await userEvent.click(dialog.getByRole('button', { name: '验证' }))
    expect(await dialog.findByRole('button', { name: /正在验证/ })).toBeTruthy()
    answer()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.last('ldap/verify_domain')?.input).toEqual({ domain: 'acme.example' })
  })

  it.each([
    ['请上传文件', 'ca_id', 'switch', '公共CA'],
    ['请选择硬件设备', 'router_name', 'radio', '内网'],
    ['密码不能为空', 'password', 'radio', '公网'],
  ] as const)('what the server misses is said on its field: %s', async (msg, name, role, choice) => {
    const { api } = create({ 'ldap/check': { code: 422, msg, data: { field: name } } as object })
    await fill()
    await userEvent.click(screen.getByRole(role, { name: choice }))
    expect(screen.queryByRole('combobox', { name: /硬件设备/ }) !== null).toBe(choice === '内网')
    await press('检测')
    expect((await screen.findByText(msg)).closest('.nl-field')).not.toBeNull()
    expect(api.last('ldap/save')).toBeUndefined()
  })

  it('sends a domain in lower case, and refuses what is too long as it was typed', async () => {
    const { api } = create({ 'ldap/check': CHECKED })
    await fill()
    const dn = screen.getByRole<HTMLInputElement>('textbox', { name: 'Base DN' })
    const password = screen.getByLabelText<HTMLInputElement>(/^密码/)
    const before = [dn.value, password.value]
    fireEvent.change(dn, { target: { value: `dc=${'a'.repeat(255)}` } })
    fireEvent.change(password, { target: { value: 'x'.repeat(33) } })
    await press('检测')
    for (const text of ['Base DN不能超过255个字符', '密码不能超过32个字符'])
      expect(await screen.findByText(text)).toBeTruthy()
    expect([dn.value.length, password.value.length]).toEqual([258, 33])
    for (const [i, input] of [dn, password].entries()) fireEvent.change(input, { target: { value: before[i] } })
    await userEvent.type(await field('域名'), '.CN')
    await press('检测')
    await waitFor(() => expect(api.last('ldap/check')?.input).toMatchObject({ domain: 'acme.example.cn' }))
  })

  it('SSL and StartTLS exclude each other, and either asks for a CA', async () => {
    create()
    const [ssl, tls] = [
      await screen.findByRole('switch', { name: /SSL/ }),
      screen.getByRole('switch', { name: /Start/ }),
    ]
    await userEvent.click(tls)
    expect([ssl.getAttribute('aria-checked'), tls.getAttribute('aria-checked')]).toEqual(['false', 'true'])
    expect(screen.getByLabelText(/^CA证书/)).toBeTruthy()
    await userEvent.click(tls)
    expect(screen.queryByLabelText(/^CA证书/)).toBeNull()
  })

  it.each([
    ['key.txt', 10, /选择的文件中包含不支持的格式/],
    ['ca.pem', 2 * 1024 * 1024 + 1, /文件大小不能超过 2MB!/],
  ])('a file %s of %d bytes is refused before it is sent', async (name, bytes, sentence) => {
    const { api } = create()
    const input = (await screen.findByLabelText(/^CA证书/)) as HTMLInputElement
    await userEvent.upload(input, new File([new Uint8Array(bytes)], name), { applyAccept: false })
    expect((await screen.findByRole('alert')).textContent).toMatch(sentence)
    expect(api.last('ldap/upload_ca')).toBeUndefined()
  })

  it('says what a CA certificate is for', async () => {
    const uploaded = { ca_id: 'c1', file_name: 'acme.pem', subject: 'Acme Root', expire_time: Date.parse('2030-01-02') }
    create({ 'ldap/upload_ca': { data: uploaded, msg: '上传成功！' } })
    const input = (await screen.findByLabelText(/^CA证书/)) as HTMLInputElement
    await userEvent.upload(input, new File(['x'], 'acme.pem'))
    const shown = await screen.findByText('acme.pem：Acme Root')
    expect(shown.parentElement?.textContent).toBe('acme.pem：Acme Root，2030-01-02 到期')
    expect(await screen.findByText('上传成功！')).toBeTruthy()
  })
})

describe('directory 4 · edit', () => {
  it('shows what is stored, never the password, and the Base DN as fixed', async () => {
    edit()
    expect(((await field('地址')) as HTMLInputElement).value).toBe(LDAP_CONFIG.host)
    expect(await field('Base DN')).toHaveProperty('disabled', true)
    expect((screen.getByLabelText(/^密码/) as HTMLInputElement).value).toBe('')
    expect(screen.getByText('当前证书：acme-ca.pem')).toBeTruthy()
  })

  it('keeps the stored password where it is left empty', async () => {
    const { api } = edit({ 'ldap/check': CHECKED })
    await field('地址')
    await press('检测')
    await waitFor(() => expect(api.last('ldap/check')?.input).toMatchObject({ password: '', host: LDAP_CONFIG.host }))
  })

  it('goes to the page that fits what is stored', async () => {
    const { router } = create({ 'ldap/config': LDAP_REPLIES['ldap/config'] })
    await waitFor(() => expect(router.state.location.pathname).toBe('/router/ldap'))
  })
})
