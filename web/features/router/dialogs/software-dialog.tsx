import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useState } from 'react'
import { ERRORS } from '../../../../worker/contract/errors.ts'
import { RESULT } from '../../../../worker/contract/result.ts'
import { DIAL_CODE_DEFAULT, NETWORK, ROUTER_TYPE, SOFTWARE } from '../../../../worker/contract/limits.ts'
import { softwareForm } from '../../../../worker/contract/router.ts'
import { toErrorView } from '../../../ui/error-view.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { OtpField } from '../../../ui/form/otp-field.tsx'
import { PasswordField } from '../../../ui/form/password-field.tsx'
import { PhoneField } from '../../../ui/form/phone-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { useAddRouter, useDialCodes, useSendCode } from '../api.ts'
import { NetworkField } from '../parts/network-field.tsx'
import styles from './dialog-notice.module.css'
import { useOpenDialog } from './open-dialog.ts'

const ADDING = 1
const BINDING = 2
const DRAFT = { key: 'software', fields: ['username', 'area_code', 'phone', 'note', 'network_number'] } as const

interface SoftwareDialogProps {
  /** Empty where none is set yet. */
  readonly sign: string
  /** This user may set the suffix. */
  readonly canEditSign: boolean
  readonly addsIntoNetwork: boolean
  readonly onClose: () => void
}

/**
 * Adds a software member. A phone another member has puts the form into its binding state (401): the code sent to that
 * phone confirms it, until a different number is typed (network 4).
 */
export function SoftwareDialog({ sign, canEditSign, addsIntoNetwork, onClose }: SoftwareDialogProps) {
  const form = useContractForm(softwareForm, {
    router_type: ROUTER_TYPE.software,
    username: '',
    password: '',
    area_code: DIAL_CODE_DEFAULT,
    phone: '',
    note: '',
    type: ADDING,
    code: '',
    network_number: '',
  })
  const isRestored = useFormDraft(form, DRAFT)
  const add = useAddRouter()
  const countries = useDialCodes()
  const sendCode = useSendCode()
  const [refusedSign, setRefusedSign] = useState<string | null>(null)
  const isSignMissing = sign === '' || sign === refusedSign

  const { control, setValue } = form
  const number = `+${form.watch('area_code')} ${form.watch('phone')}`
  const [oldNumber, setOldNumber] = useState<string | null>(null)
  const isBinding = number === oldNumber
  useEffect(() => setValue('type', isBinding ? BINDING : ADDING), [isBinding, setValue])

  const submit = async (values: Parameters<typeof add.trigger>[0]) => {
    try {
      await add.trigger(values)
      onClose()
    } catch (error) {
      const { code } = toErrorView(error)
      if (code === RESULT.stepNeeded) return setOldNumber(number)
      setValue('code', '')
      if (code === RESULT.doFirst) return setRefusedSign(sign)
      throw error
    }
  }

  return (
    <FormDialog title="添加软件成员" submitText="添加" {...{ form, isRestored }} onClose={onClose} onSubmit={submit}>
      {isSignMissing && <SignMissing canEditSign={canEditSign} />}
      <TextField
        control={control}
        name="username"
        label="账号"
        required
        isCode
        maxLength={SOFTWARE.usernameMax}
        help="字母、数字、下划线和点"
        {...(sign !== '' && { suffix: `@${sign}` })}
      />
      <PasswordField control={control} name="password" label="密码" required autoComplete="new-password" />
      <PhoneField
        control={control}
        name="phone"
        areaName="area_code"
        label="手机号码"
        dialCodes={countries.data?.data}
      />
      {isBinding && (
        <>
          <p role="alert" className={styles.notice}>
            {ERRORS.PHONE_MUST_VERIFY.msg}
          </p>
          <OtpField
            control={control}
            name="code"
            label="短信验证码"
            required
            send={() => sendCode.trigger({ send_type: 'phone', verify_type: 'app_change_phone', send_value: number })}
          />
        </>
      )}
      {addsIntoNetwork && <NetworkField control={control} name="network_number" />}
      <TextField control={control} name="note" label="备注" maxLength={NETWORK.noteMax} />
    </FormDialog>
  )
}

function SignMissing({ canEditSign }: Pick<SoftwareDialogProps, 'canEditSign'>) {
  const open = useOpenDialog()
  return (
    <p role="alert" className={styles.notice}>
      <span>
        {ERRORS.SIGN_REQUIRED.msg}
        {!canEditSign && '，请联系主账号设置'}
      </span>
      {canEditSign && <Button onClick={() => open('sign')}>设置后缀</Button>}
    </p>
  )
}
