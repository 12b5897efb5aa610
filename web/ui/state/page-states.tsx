import IconAlertTriangle from '@douyinfe/semi-icons/lib/es/icons/IconAlertTriangle'
import IconInbox from '@douyinfe/semi-icons/lib/es/icons/IconInbox'
import IconLock from '@douyinfe/semi-icons/lib/es/icons/IconLock'
import IconSearch from '@douyinfe/semi-icons/lib/es/icons/IconSearch'
import IconTickCircle from '@douyinfe/semi-icons/lib/es/icons/IconTickCircle'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { SENTENCE } from '#contract/kernel/result.ts'
import { navigation } from '#lib/navigation.ts'
import { toast } from '#lib/toast/toast.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { toErrorView } from './error-view.ts'
import './states.css'

/* States in place of content: empty, no match, no permission, error, gone. */

interface StateProps {
  readonly icon: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly role?: 'alert'
}

function State({ icon, title, children, role }: StateProps) {
  return (
    <div className="nl-state" role={role}>
      <span className="nl-state-icon" aria-hidden="true">
        {icon}
      </span>
      <strong>{title}</strong>
      {children}
    </div>
  )
}

interface NothingYetProps {
  /** Title for a part of a page, such as 暂无接口; the default is for a whole empty page. */
  readonly title?: string
  readonly hint?: ReactNode
  readonly action?: ReactNode
}

/** Empty list: its purpose, and the action that creates the first entry. */
export function NothingYet({ title = '好像没有什么东西哦！', hint, action }: NothingYetProps) {
  return (
    <State icon={<IconInbox size="extra-large" />} title={title}>
      {hint !== undefined && <p>{hint}</p>}
      {action}
    </State>
  )
}

export function NothingWrong({ onClear }: { readonly onClear: () => void }) {
  return (
    <State icon={<IconTickCircle size="extra-large" />} title="没有异常">
      <Button onClick={() => onClear()}>清除筛选</Button>
    </State>
  )
}

export function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <State icon={<IconSearch size="extra-large" />} title="暂无数据">
      <p>没有符合当前筛选条件的内容</p>
      <Button onClick={() => onClear()}>清除筛选</Button>
    </State>
  )
}

interface NoPermissionProps {
  /** Sentence of the refusal; by default it says who can grant the right. */
  readonly reason?: string
}

/** Refused page or part. It has a way back for users who followed a link. */
export function NoPermission({ reason = SENTENCE.permissionDenied }: NoPermissionProps) {
  return (
    <State icon={<IconLock size="extra-large" />} title="没有查看权限">
      <p>{reason}</p>
      <Button onClick={() => navigation.back()}>返回</Button>
    </State>
  )
}

/** Failed load: the cause, the request id for support, and another try. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { message, requestId } = toErrorView(error)
  return (
    <State icon={<IconAlertTriangle size="extra-large" />} title="加载失败" role="alert">
      <p>{message}</p>
      {requestId !== undefined && (
        <p className="nl-muted">
          请求编号 <CopyText text={requestId} label="复制请求编号" />
        </p>
      )}
      <Button onClick={() => onRetry()}>重试</Button>
    </State>
  )
}

/** Replaces a detail page whose object does not exist, and links to its list. */
export function Gone({ message, to }: { message: string; to: string }) {
  useEffect(() => toast.error(message), [message])
  return <Navigate to={to} replace />
}
