import { ERROR_TOAST_SECONDS } from '#contract/kernel/limits.ts'
import { writeStored } from '#lib/session/browser-storage.ts'
import { createStore } from '#lib/store.ts'

/* Toasts: short messages of success or error, also after the next page load. */

const DONE_MS = 3_000
/** Time in which a person can reach the button of a toast. */
const ACTION_MS = 10_000
const ERROR_MS = ERROR_TOAST_SECONDS * 1_000
const SHOWN_MAX = 4
const FLASH_KEY = 'netloom.toast'

export interface Toast {
  readonly id: number
  /** `warn`: only a part was done, or there was nothing to do. */
  readonly tone: 'done' | 'warn' | 'error'
  readonly text: string
  readonly detail?: string | undefined
  readonly requestId?: string | undefined
  readonly action?: ToastAction | undefined
}

/** Button of a toast, such as 撤销. */
interface ToastAction {
  readonly label: string
  readonly run: () => void
}

type More = Pick<Toast, 'detail' | 'requestId' | 'action'>

export const toastStore = createStore<readonly Toast[]>([])
let count = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id))
}

/** Equal messages, such as from six failed queries, share one toast and restart its timer. */
function show(tone: Toast['tone'], text: string, more: More = {}): void {
  const same = toastStore.get().find((toast) => toast.text === text && toast.tone === tone)
  if (same !== undefined) dismissToast(same.id)
  const id = ++count
  toastStore.set([...toastStore.get(), { id, tone, text, ...more }].slice(-SHOWN_MAX))
  timers.set(
    id,
    setTimeout(() => dismissToast(id), more.action ? ACTION_MS : tone === 'done' ? DONE_MS : ERROR_MS),
  )
}

export const toast = {
  done: (text: string, more?: Pick<More, 'action'>): void => show('done', text, more),
  warn: (text: string): void => show('warn', text),
  error: (text: string, more?: More): void => show('error', text, more),
}

/** A flash message: kept in sessionStorage, shown by `showFlashToast` after the next page load. */
export function flashToast(tone: Toast['tone'], text: string): void {
  writeStored('sessionStorage', FLASH_KEY, JSON.stringify([tone, text]))
}

export function showFlashToast(): void {
  try {
    const stored = sessionStorage.getItem(FLASH_KEY)
    sessionStorage.removeItem(FLASH_KEY)
    if (stored !== null) show(...(JSON.parse(stored) as [Toast['tone'], string]))
  } catch {
    // storage blocked
  }
}
