import { type FormEvent, useState } from 'react'

interface PageJumpProps {
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** Goes to a page by its number, at most to the last one. */
export function PageJump({ pages, onPage }: PageJumpProps) {
  const [text, setText] = useState('')
  const jump = (event: FormEvent) => {
    event.preventDefault()
    const page = Number(text)
    setText('')
    if (Number.isSafeInteger(page) && page > 0) onPage(Math.min(page, pages))
  }
  return (
    <form className="nl-pager-jump" onSubmit={jump}>
      跳至
      <input
        aria-label={`跳至页码，共 ${pages} 页`}
        inputMode="numeric"
        maxLength={5}
        value={text}
        onChange={(event) => setText(event.target.value.replaceAll(/\D/g, ''))}
      />
      页
    </form>
  )
}
