import { type MutableRefObject, type RefObject, useEffect, useRef } from 'react'
import { useLatest } from '#lib/use-latest.ts'
import { type Canvas, type CanvasEvents, openCanvas } from './canvas.ts'

/** Creates the canvas on mount and disposes it on unmount; its events reach the latest handlers. */
export function useCanvas(events: CanvasEvents): {
  readonly paper: RefObject<HTMLDivElement>
  readonly canvas: { readonly current: Canvas | null }
} {
  const paper = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas | null>(null)
  const latest = useLatest(events)
  useEffect(() => {
    const host = paper.current
    if (host === null) return
    const sheet = document.createElement('div') // X6 does not restore its container on dispose
    host.append(sheet)
    const opened = openCanvas(sheet, {
      onPick: (id) => latest.current.onPick(id),
      onHover: (id, at) => latest.current.onHover(id, at),
      onScale: (scale) => latest.current.onScale(scale),
    })
    put(canvas, opened)
    return () => {
      put(canvas, null)
      opened.dispose()
      sheet.remove()
    }
  }, [latest])
  return { paper, canvas }
}

function put(ref: MutableRefObject<Canvas | null>, canvas: Canvas | null): void {
  ref.current = canvas
}
