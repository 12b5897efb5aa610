import { confirm } from './confirm.tsx'

/* Asks to confirm that unsaved changes are discarded. */

export function confirmDiscard(): Promise<boolean> {
  return confirm({
    title: '放弃未保存的修改？',
    body: '离开后，已填写的内容不会保留。',
    verb: '放弃修改',
    cancel: '继续编辑',
    danger: true,
  })
}
