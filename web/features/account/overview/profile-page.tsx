import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import type * as z from 'zod'
import { profile, INDUSTRIES } from '#contract/account/forms.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { BIRTHDAY, NICKNAME, OCCUPATION_MAX } from '#contract/account/limits.ts'
import { checkBirthday, latestBirthday } from '#domain/account/user.ts'
import { paths } from '#lib/paths.ts'
import { updateUser } from '#lib/session/session.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { DateField } from '#ui/form/dates/date-field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { FormNotes } from '#ui/layout/form-notes.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { useNow } from '#ui/hooks/use-now.ts'
import { useProfile, useSaveProfile } from '../api.ts'
import { Loading } from '#ui/state/loading.tsx'

/* Page of the profile of the account holder; saving it returns to the account (account 2). */

const schema = profile.superRefine(({ birthday }, issues) => {
  const violation = checkBirthday(birthday, Date.now())
  if (violation) issues.addIssue({ code: 'custom', path: ['birthday'], message: toMessage(violation) })
})
const OPTIONS = Object.entries(INDUSTRIES).map(([value, label]) => ({ value, label }))

const NOTES = [
  '昵称显示在右上角，代替登录用的账号名。',
  '保存后回到账号信息。修改会记入操作审计。',
  <>
    密码、手机、邮箱另行修改：<Link to={paths.changePassword}>修改密码</Link>、
    <Link to={paths.changePhone}>修改手机</Link>、<Link to={paths.changeEmail}>修改邮箱</Link>。
  </>,
]

export function ProfilePage() {
  const { data, error, mutate } = useProfile()
  return (
    <>
      <PageHeader title="编辑资料" trail={[{ label: '账号信息', to: paths.account() }]} />
      <Panel>
        <FormNotes title="保存以后" notes={NOTES}>
          {data !== undefined ? <ProfileForm start={data.data} /> : <Loading query={{ error, mutate }} lines={6} />}
        </FormNotes>
      </Panel>
    </>
  )
}

function ProfileForm({ start }: { readonly start: z.input<typeof profile> }) {
  const form = useContractForm(schema, start, {
    draft: { key: 'profile', fields: ['nickname', 'birthday', 'industry', 'occupation'] },
  })
  const save = useSaveProfile()
  const navigate = useNavigate()
  const now = useNow()
  const { control } = form
  const isSaved = save.data !== undefined
  useLeaveGuard(form.formState.isDirty && !isSaved)
  useEffect(() => {
    if (isSaved) void navigate(paths.account())
  }, [isSaved, navigate])
  const submit = async (values: z.output<typeof schema>) => {
    await save.trigger(values)
    const { nickname, birthday, industry, occupation } = values
    updateUser({ nickname, birthday, industry, occupation })
  }
  return (
    <Form form={form} onSubmit={submit}>
      <TextField control={control} name="account" label="账号" disabled isCode help="用于登录，不能修改" />
      <TextField control={control} name="nickname" label="昵称" required max={NICKNAME.max} />
      <DateField
        control={control}
        name="birthday"
        label="生日"
        required
        min={BIRTHDAY.first}
        max={latestBirthday(now)}
      />
      <SelectField control={control} name="industry" label="行业" required options={OPTIONS} />
      <TextField control={control} name="occupation" label="职业" required max={OCCUPATION_MAX} />
      <FormActions submitText="保存" busy={form.busy} onCancel={() => void navigate(paths.account())} />
    </Form>
  )
}
