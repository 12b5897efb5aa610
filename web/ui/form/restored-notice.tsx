import { Notice } from '#ui/state/notice.tsx'

/** Above a form that holds what was unsaved when the session ran out. */
export function RestoredNotice() {
  return <Notice role="status">登录过期前未保存的内容已恢复，请核对后保存</Notice>
}
