import { lazy, type ReactNode, Suspense } from 'react'
import { loadChunk } from '#lib/bundle/chunk.ts'
import { createStore, useStore } from '#lib/store.ts'

/* Confirmation dialogs: `confirm()` asks, `ConfirmHost` renders the questions. */

export const DELETED_FOR_GOOD = '是否确定删除? 删除后不可恢复。'

export interface Question {
  /** Question with its object, such as 删除组网“总部互联”？ The body begins with the specification's sentence. */
  readonly title: string
  readonly body?: ReactNode
  readonly items?: readonly string[]
  /** Verb on the button, such as 删除 3 台路由器. */
  readonly verb: string
  /** Label of the cancel button; 取消 (cancel) unless another word is clearer, such as 继续编辑. */
  readonly cancel?: string
  readonly danger?: boolean
  /** A text the user must type exactly before the button works. */
  readonly typed?: string
  /** Runs while the dialog shows its progress; if it throws, the dialog remains open with the reason. */
  readonly run?: () => Promise<unknown>
}

interface PendingQuestion {
  readonly id: number
  readonly question: Question
  readonly answer: (yes: boolean) => void
}

const queue = createStore<readonly PendingQuestion[]>([])
let count = 0

const loadDialog = () => import('./confirm-dialog.tsx')
const ConfirmDialog = lazy(loadDialog)

/** Resolves to the answer. `ConfirmHost` must be rendered once in the app. */
export async function confirm(question: Question): Promise<boolean> {
  if (!(await loadChunk(loadDialog))) return false
  return new Promise((resolve) => {
    const asked: PendingQuestion = {
      id: ++count,
      question,
      answer(yes) {
        queue.set(queue.get().filter((other) => other !== asked))
        resolve(yes)
      },
    }
    queue.set([...queue.get(), asked])
  })
}

export const confirmDiscard = (): Promise<boolean> =>
  confirm({
    title: '放弃未保存的修改？',
    body: '离开后，已填写的内容不会保留。',
    verb: '放弃修改',
    cancel: '继续编辑',
    danger: true,
  })

/** Renders the questions of `confirm()`, one after the other. The dialog's chunk is loaded with the first. */
export function ConfirmHost() {
  const asked = useStore(queue)[0]
  if (asked === undefined) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog key={asked.id} question={asked.question} onAnswer={asked.answer} />
    </Suspense>
  )
}
