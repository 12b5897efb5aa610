import Button from '@douyinfe/semi-ui/lib/es/button'
import { useCallback, useState } from 'react'
import type { z } from 'zod'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { softwareForm } from '#contract/router/routers.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useAddRouter } from '../api.ts'
import { NetworkField } from './network-field.tsx'
import { NewPasswordField } from '#ui/member/new-password-field.tsx'
import { PhoneFields, ADDING, usePhoneBinding } from '#ui/member/phone-fields.tsx'
import styles from './router-list.module.css'
import { InviteDialog } from '#ui/member/invite-dialog.tsx'
import { useOpenDialog } from './router-list-context.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Dialog that adds a software member; a generated password is shown once. */

const NEW = {
  router_type: ROUTER_TYPE.software,
  username: '',
  password: '',
  area_code: DIAL_CODE_DEFAULT,
  phone: '',
  note: '',
  type: ADDING,
  code: '',
  network_number: '',
}
const DRAFT = { key: 'software', fields: ['username', 'area_code', 'phone', 'note', 'network_number'] } as const

interface SoftwareDialogProps {
  /** Suffix of the account; empty before it is set. */
  readonly sign: string
  readonly canEditSign: boolean
  readonly addsIntoNetwork: boolean
  readonly onClose: () => void
}

export function SoftwareDialog({ sign, canEditSign, addsIntoNetwork, onClose }: SoftwareDialogProps) {
  const form = useContractForm(softwareForm, NEW, { draft: DRAFT })
  const add = useAddRouter()
  const [refusedSign, setRefusedSign] = useState<string | null>(null)
  const isSignMissing = sign === '' || sign === refusedSign
  const [generated, setGenerated] = useState<string | null>(null)
  const [invited, setInvited] = useState<{ readonly routerName: string; readonly password: string } | null>(null)

  const { control, setValue } = form
  const setType = useCallback((type: number) => setValue('type', type), [setValue])
  const typed = { area_code: form.watch('area_code') ?? '', phone: form.watch('phone') ?? '' }
  const { number, isBinding, start } = usePhoneBinding(typed, setType)

  const generate = (password: string) => {
    setGenerated(password)
    setValue('password', password, { shouldDirty: true, shouldValidate: true })
  }
  const save = async (values: z.output<typeof softwareForm>) => {
    try {
      const { data } = await add.trigger(values)
      if (values.password !== generated) return
      setInvited({ routerName: data.router_name, password: values.password })
    } catch (error) {
      const { code } = toErrorView(error)
      if (code === RESULT.stepNeeded) start()
      else {
        setValue('code', '')
        if (code !== RESULT.doFirst) throw error
        setRefusedSign(sign)
      }
    }
    return false
  }

  if (invited !== null) return <InviteDialog title="成员已添加" {...invited} onClose={onClose} />
  return (
    <FormDialog title="添加软件成员" submitText="添加" form={form} command={save} onClose={onClose}>
      {isSignMissing && <SignMissing canEditSign={canEditSign} />}
      <TextField
        control={control}
        name="username"
        label="账号"
        required
        isCode
        help="3-18 位字母、数字、下划线和点"
        {...(sign !== '' && { suffix: `@${sign}` })}
      />
      <NewPasswordField control={control} label="密码" onGenerate={generate} />
      <PhoneFields {...{ control, number, isBinding }} />
      {addsIntoNetwork && <NetworkField control={control} />}
      <TextField control={control} name="note" label="备注" max={NETWORK.noteMax} />
    </FormDialog>
  )
}

function SignMissing({ canEditSign }: Pick<SoftwareDialogProps, 'canEditSign'>) {
  const open = useOpenDialog()
  return (
    <p role="alert" className={styles.notice}>
      <span>
        {ROUTER_ERRORS.SIGN_REQUIRED.msg}
        {!canEditSign && '，请联系主账号设置'}
      </span>
      {canEditSign && <Button onClick={() => open('sign')}>设置后缀</Button>}
    </p>
  )
}
