import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { DateField } from '#ui/form/dates/date-field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

const schema = z.object({
  area_code: z.string(),
  phone: z.string().min(1, '请输入手机号码'),
  role: z.string('请选择角色'),
  mode: z.number('请选择拨号模式'),
  code: z.string().length(4, '验证码的长度必须为4位'),
  agreed: z.literal(true, '请先阅读并同意服务条款'),
  day: z.string().min(1, '请输入到期日'),
})
type Values = z.input<typeof schema>
const FULL = {
  area_code: '86',
  phone: '13800000001',
  role: 'ops',
  mode: 1,
  code: 'K7PW',
  agreed: true,
  day: '2026-11-01',
} as const satisfies Values

const DIAL_CODES = [
  { dialCode: '86', CNName: '中国' },
  { dialCode: '7', CNName: '俄罗斯' },
  { dialCode: '7', CNName: '哈萨克斯坦' },
]

interface SampleProps {
  readonly values?: Partial<Values>
  readonly onSubmit?: (values: unknown) => void
  readonly redraw?: () => Promise<void>
}

function Sample({ values = {}, onSubmit = () => {}, redraw = async () => {} }: SampleProps) {
  const form = useContractForm(schema, { ...FULL, ...values })
  const { control } = form
  return (
    <Form form={form} onSubmit={onSubmit}>
      <PhoneField control={control} name="phone" label="手机号码" dialCodes={DIAL_CODES} />
      <SelectField
        control={control}
        name="role"
        label="角色"
        options={[
          { value: 'ops', label: '运维' },
          { value: 'old', label: '已停用', disabled: true },
          { value: 'audit', label: '审计' },
        ]}
      />
      <RadioField
        control={control}
        name="mode"
        label="拨号模式"
        options={[
          { value: 1, label: '默认' },
          { value: 2, label: '优先中心点' },
        ]}
      />
      <CaptchaField
        control={control}
        name="code"
        label="验证码"
        captcha={{
          image: 'data:image/png;base64,AA==',
          failure: null,
          redraw,
          proof: 'idle',
          solve: async () => {},
          cancelProof: () => {},
          work: 'none',
        }}
      />
      <DateField control={control} name="day" label="到期日" min="2026-01-01" max="2026-12-31" />
      <CheckboxField control={control} name="agreed">
        我已阅读
      </CheckboxField>
      <FormActions submitText="保存" busy={form.busy} />
    </Form>
  )
}

const user = userEvent.setup()
const save = () => user.click(screen.getByRole('button', { name: '保存' }))
const option = (text: string) => screen.getByText(text).closest('[role="option"]')!
const missing = (name: keyof Values) => ({ [name]: undefined }) as Partial<Values>

it.each([
  ['phone', '请输入手机号码', () => screen.getByRole('textbox', { name: '手机号码' }), { phone: '' }],
  ['role', '请选择角色', () => screen.getByRole('combobox', { name: '角色' }), missing('role')],
  ['mode', '请选择拨号模式', () => screen.getByRole('radio', { name: '默认' }), missing('mode')],
  ['code', '验证码的长度必须为4位', () => screen.getByRole('textbox', { name: '验证码' }), { code: 'K7' }],
  ['day', '请输入到期日', () => screen.getByRole('textbox', { name: '到期日' }), { day: '' }],
  ['agreed', '请先阅读并同意服务条款', () => screen.getByRole('checkbox'), missing('agreed')],
] as const)('%s: a refused submit shows the reason and focuses the field', async (_, message, place, values) => {
  const onSubmit = vi.fn<() => void>()
  render(<Sample values={values} onSubmit={onSubmit} />)
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  expect(document.activeElement).toBe(place())
  expect(onSubmit).not.toHaveBeenCalled()
})

it('phone: digits only, with one entry for a dial code that places share', async () => {
  const onSubmit = vi.fn<(values: unknown) => void>()
  render(<Sample values={{ phone: '' }} onSubmit={onSubmit} />)
  await user.type(screen.getByRole('textbox', { name: '手机号码' }), '138-0000 0002')
  await user.click(screen.getByRole('combobox', { name: '国家或地区代码' }))
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    '+86 中国',
    '+7 俄罗斯、哈萨克斯坦',
  ])
  fireEvent.click(option('+7 俄罗斯、哈萨克斯坦'))
  await save()
  await waitFor(() =>
    expect(onSubmit).toHaveBeenCalledWith(expect.objectContaining({ area_code: '7', phone: '13800000002' })),
  )
})

it('phone: a dial code in the paste sets the select, and nothing is cut before it is cleaned', async () => {
  const onSubmit = vi.fn<(values: unknown) => void>()
  render(<Sample values={{ phone: '' }} onSubmit={onSubmit} />)
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: '手机号码' })
  await user.click(input)
  await user.paste('+7 (912) 345-67-89')
  expect(input.value).toBe('9123456789')
  await save()
  await waitFor(() =>
    expect(onSubmit).toHaveBeenCalledWith(expect.objectContaining({ area_code: '7', phone: '9123456789' })),
  )
  await user.clear(input)
  await user.paste('+86 １３８ 0013 8000')
  expect(input.value).toBe('13800138000')
  await user.clear(input)
  await user.paste('86-138–0013 8000') // its own dial code without a plus
  expect(input.value).toBe('13800138000')
  await user.clear(input)
  await user.paste('138001380001') // no number: it stays as it is
  expect(input.value).toBe('138001380001')
})

it('select: what is off cannot be chosen, the rest can', async () => {
  const onSubmit = vi.fn<(values: unknown) => void>()
  render(<Sample onSubmit={onSubmit} />)
  await user.click(screen.getByRole('combobox', { name: '角色' }))
  fireEvent.click(option('已停用'))
  fireEvent.click(option('审计'))
  await save()
  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith(expect.objectContaining({ role: 'audit' })))
})

it('select: names an active option only while its list is open', async () => {
  render(<Sample />)
  const active = (name: string) => screen.getByRole('combobox', { name }).getAttribute('aria-activedescendant')
  expect([active('角色'), active('国家或地区代码')]).toEqual([null, null])
  await userEvent.click(screen.getByRole('combobox', { name: '角色' }))
  expect(document.getElementById(active('角色') ?? '')?.getAttribute('role')).toBe('option')
  fireEvent.click(screen.getByText('审计').closest('[role="option"]')!)
  await waitFor(() => expect(active('角色')).toBeNull())
})

it('captcha: drops blanks and dashes, draws another on a press, names the other way in', async () => {
  const redraw = vi.fn<() => Promise<void>>(async () => {})
  render(<Sample values={{ code: '' }} redraw={redraw} />)
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: '验证码' })
  await user.type(input, 'K 7-pｗ')
  expect(input.value).toBe('K7pw')
  await user.type(input, '字9')
  expect(input.value).toBe('K7pw字9') // refused, not cut
  const described = input.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('看不清图片？无障碍验证')
  await user.click(screen.getByRole('button', { name: /点击换一张/ }))
  expect(redraw).toHaveBeenCalledTimes(1)
  await user.clear(input)
  await save()
  const error = await screen.findByRole('alert')
  expect(input.getAttribute('aria-describedby')).toBe(`${error.id} ${described}`)
})
