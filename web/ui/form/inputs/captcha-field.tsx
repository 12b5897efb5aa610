import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { groupedCode } from '#contract/kernel/input/typed-text.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import type { Captcha } from '../use-captcha.ts'

/* Field of an image captcha of four characters; a click on the image loads another (account 2). */

interface CaptchaFieldProps<V extends FieldValues, T> extends Omit<FieldProps<V, T>, 'help'> {
  readonly captcha: Pick<Captcha, 'image' | 'failure' | 'redraw' | 'proof' | 'solve' | 'cancelProof' | 'work'>
}

export function CaptchaField<V extends FieldValues, T>({ captcha, ...props }: CaptchaFieldProps<V, T>) {
  const help = (
    <>
      <ProofLink captcha={captcha} />
      <WorkState work={captcha.work} />
      {captcha.failure !== null && (
        <span role="status" className="nl-captcha-cause">
          {captcha.failure}
        </span>
      )}
    </>
  )
  const { frame, input, field } = useField({ ...props, help }, groupedCode)
  return (
    <FieldFrame {...frame}>
      <div className="nl-joined">
        <Input
          {...input}
          onChange={(text) => field.onChange(groupedCode(text))}
          placeholder="图中的 4 位字符"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <button
          type="button"
          className="nl-captcha"
          onClick={() => void captcha.redraw()}
          aria-label={captcha.failure === null ? '图形验证码，看不清？点击换一张' : '图形验证码加载失败，点击重试'}
          aria-busy={captcha.image === undefined && captcha.failure === null}
        >
          {captcha.image !== undefined && <img src={captcha.image} alt="" />}
          {captcha.failure !== null && '点击重试'}
        </button>
      </div>
    </FieldFrame>
  )
}

/** Alternative to the image: a proof of work of a few seconds in the browser. */
function ProofLink({ captcha }: { readonly captcha: Pick<Captcha, 'proof' | 'solve' | 'cancelProof'> }) {
  if (captcha.proof === 'idle')
    return (
      <button type="button" className="nl-proof" onClick={() => void captcha.solve()}>
        看不清图片？无障碍验证
      </button>
    )
  if (captcha.proof === 'solved') return <span role="status">无障碍验证已通过</span>
  return (
    <>
      <span role="status" className="nl-work" data-state="working">
        正在验证，请稍候…
      </span>
      <button type="button" className="nl-proof" onClick={captcha.cancelProof}>
        取消验证
      </button>
    </>
  )
}

const WORK = { none: '', working: '安全验证计算中，请稍候…', done: '安全验证已完成' } as const

/** State of the proof of work after many failed sign-ins. Always rendered, so that screen readers hear it change. */
function WorkState({ work }: Pick<Captcha, 'work'>) {
  return (
    <span role="status" className="nl-work" data-state={work}>
      {WORK[work]}
    </span>
  )
}
