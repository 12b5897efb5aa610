import { useStore } from '#lib/store.ts'
import { createPortal } from 'react-dom'
import { dismissToast, type Toast, toastStore } from './toast.ts'
import './toast.css'

/**
 * Shows the toasts. Rendered once, in a portal beside `#root`: a dialog makes the root inert, and its errors must be
 * announced.
 */
export function ToastHost() {
  const toasts = useStore(toastStore)
  const cards = (tone: Toast['tone']) =>
    toasts.filter((toast) => toast.tone === tone).map((toast) => <ToastCard key={toast.id} toast={toast} />)
  return createPortal(
    <div className="nl-toasts">
      {/* A polite live region is announced only if it exists before its text. */}
      <div aria-live="polite">
        {cards('done')}
        {cards('warn')}
      </div>
      {cards('error')}
    </div>,
    document.body,
  )
}

function ToastCard({ toast: { id, tone, text, detail, requestId, action } }: { readonly toast: Toast }) {
  return (
    <div className={`nl-toast nl-toast-${tone}`} role={tone === 'error' ? 'alert' : undefined}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="8" fill="currentColor" />
        <path
          d={tone === 'done' ? 'm4.5 8.2 2.5 2.4 4.5-4.8' : 'M8 3.8v5M8 11.6v.1'}
          fill="none"
          stroke="var(--nl-panel)"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <div>
        {text}
        {detail !== undefined && <p>{detail}</p>}
        {requestId !== undefined && <p>请求编号 {requestId}</p>}
      </div>
      {action !== undefined && (
        <button
          type="button"
          className="nl-toast-action"
          onClick={() => {
            dismissToast(id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" aria-label="关闭提示" onClick={() => dismissToast(id)}>
        ×
      </button>
    </div>
  )
}
