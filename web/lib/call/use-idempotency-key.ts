import { useRef } from 'react'

/** A key for what is being submitted: the same for the same content, so that a repeat after a lost answer changes nothing. */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ text: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }
}
