import Input from '@douyinfe/semi-ui/lib/es/input'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { CAPTCHA } from '../../../worker/contract/limits.ts'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface CaptchaFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** The picture as a data URL; undefined while it is being fetched. */
  readonly image: string | undefined
  readonly onRefresh: () => void
  /** The way in for people who cannot read the picture. */
  readonly alternative?: ReactNode
}

/** Four characters from a picture; a click on it brings another (account 2). */
export function CaptchaField<V extends FieldValues, T>(props: CaptchaFieldProps<V, T>) {
  const { image, onRefresh, alternative } = props
  const { frame, input, field } = useField({ ...props, help: alternative ?? props.help })
  return (
    <FieldFrame {...frame}>
      <div className="nl-joined">
        <Input
          {...input}
          onChange={(text) => field.onChange(text.replace(/[^0-9a-zA-Z]/g, ''))}
          placeholder="图中的 4 位字符"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={CAPTCHA.length}
        />
        <button type="button" className="nl-captcha" onClick={onRefresh} aria-label="图形验证码，看不清？点击换一张">
          {image !== undefined && <img src={image} alt="" />}
        </button>
      </div>
    </FieldFrame>
  )
}
