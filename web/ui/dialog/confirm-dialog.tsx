import Button from '@douyinfe/semi-ui/lib/es/button'
import Input from '@douyinfe/semi-ui/lib/es/input'
import { type FormEvent, useId, useState } from 'react'
import { plainText } from '#contract/kernel/input/typed-text.ts'
import type { Question } from './confirm.tsx'
import { type ErrorView, toErrorView } from '#ui/state/error-view.ts'
import { FormFailure } from '#ui/form/form.tsx'
import { Overlay } from './overlay.tsx'

/* The dialog of `confirm()`: question, items, text to type, progress and refusal. */

interface ConfirmDialogProps {
  readonly question: Question
  readonly onAnswer: (yes: boolean) => void
}

export default function ConfirmDialog({ question, onAnswer }: ConfirmDialogProps) {
  const { title, body, items = [], verb, cancel: cancelText = '取消', danger = false, typed, run } = question
  const [text, setText] = useState('')
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<ErrorView | null>(null)
  const inputId = useId()
  const bodyId = useId()
  const ready = typed === undefined || plainText(text) === plainText(typed)

  const cancel = () => {
    if (!running) onAnswer(false)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!ready || running) return
    if (run === undefined) return onAnswer(true)
    setRunning(true)
    setFailure(null)
    try {
      await run()
      onAnswer(true)
    } catch (cause) {
      setFailure(toErrorView(cause))
      setRunning(false)
    }
  }

  return (
    <Overlay kind="alertdialog" title={title} onClose={cancel} widthPx={440} describedBy={bodyId}>
      <form className="nl-panel-form" onSubmit={submit}>
        <div id={bodyId} className="nl-panel-body nl-confirm">
          {body !== undefined && <div className="nl-confirm-body">{body}</div>}
          {items.length > 0 && (
            <ul>
              {items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          )}
          {typed !== undefined && (
            <>
              <label htmlFor={inputId}>
                请输入 <code>{typed}</code> 以继续
              </label>
              <Input
                id={inputId}
                data-autofocus
                value={text}
                onChange={setText}
                autoComplete="off"
                disabled={running}
              />
            </>
          )}
          <FormFailure failure={failure} />
        </div>
        <footer className="nl-flow nl-panel-foot">
          <Button {...(typed === undefined && { 'data-autofocus': true })} onClick={cancel} disabled={running}>
            {cancelText}
          </Button>
          <Button
            htmlType="submit"
            theme="solid"
            type={danger ? 'danger' : 'primary'}
            disabled={!ready}
            loading={running}
          >
            {verb}
          </Button>
        </footer>
      </form>
    </Overlay>
  )
}
