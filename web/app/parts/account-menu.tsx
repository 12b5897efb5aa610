import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { signOut, useUser } from '../../lib/session.ts'
import { confirm } from '../../ui/confirm.tsx'
import './account-menu.css'
import './bar.css'

const PasswordDialog = lazy(() =>
  import('../../features/ram/dialogs/password-dialog.tsx').then((m) => ({ default: m.PasswordDialog })),
)

function askToSignOut(): void {
  void confirm({ title: '你确定要退出登录吗？', verb: '退出登录', run: signOut })
}

/** The signed-in user: opens under the mouse, by press and by keyboard (account 2). */
export function AccountMenu() {
  const user = useUser()
  const [isOpen, setOpen] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const menuId = useId()
  const unread = user.message_count > 99 ? '99+' : String(user.message_count)

  const items = () => [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  const onKeyDown = (event: KeyboardEvent) => {
    const list = items()
    const at = list.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'Escape' && isOpen) {
      setOpen(false)
      box.current?.querySelector('button')?.focus()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const next = event.key === 'ArrowDown' ? at + 1 : at <= 0 ? list.length - 1 : at - 1
      requestAnimationFrame(() => items()[next % list.length]?.focus())
    }
  }
  const hover = (open: boolean) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') setOpen(open)
  }
  const choose = (act: () => void) => () => {
    box.current?.querySelector('button')?.focus() // a dialog gives the focus back to where it was
    setOpen(false)
    act()
  }

  return (
    <>
      <div
        ref={box}
        className="nl-account"
        onPointerEnter={hover(true)}
        onPointerLeave={hover(false)}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
        }}
      >
        <button
          type="button"
          className="nl-bar-button"
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-controls={menuId}
          onClick={() => setOpen(true)}
        >
          <span className="nl-account-mark" aria-hidden="true">
            {[...(user.nickname || user.username)][0]}
          </span>
          <span className="nl-account-name">{user.nickname || user.username}</span>
          {user.message_count > 0 && <i className="nl-account-dot" aria-label={`${unread} 条未读消息`} />}
        </button>
        <div id={menuId} role="menu" aria-label="账号" hidden={!isOpen}>
          <Link role="menuitem" to="/account/message" onClick={() => setOpen(false)}>
            我的消息
            {user.message_count > 0 && <b className="nl-badge">{unread}</b>}
          </Link>
          {user.ram === 1 && (
            <button type="button" role="menuitem" onClick={choose(() => setChanging(true))}>
              修改密码
            </button>
          )}
          <button type="button" role="menuitem" onClick={choose(askToSignOut)}>
            退出登录
          </button>
        </div>
      </div>
      {isChanging && (
        <Suspense fallback={null}>
          <PasswordDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  )
}
