import { type KeyboardEvent, useState } from 'react'

interface PageJumpProps {
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** Goes to a page by its number, at most to the last one. No form of its own: a table may stand in one. */
export function PageJump({ pages, onPage }: PageJumpProps) {
  const [text, setText] = useState('')
  const jump = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const page = Number(text)
    setText('')
    if (Number.isSafeInteger(page) && page > 0) onPage(Math.min(page, pages))
  }
  return (
    <span className="nl-pager-jump">
      跳至
      <input
        aria-label={`跳至页码，共 ${pages} 页`}
        inputMode="numeric"
        enterKeyHint="go"
        maxLength={5}
        value={text}
        onChange={(event) => setText(event.target.value.replaceAll(/\D/g, ''))}
        onKeyDown={jump}
      />
      页
    </span>
  )
}
