import { useEffect, useState } from 'react'

export interface FullScreen {
  readonly isOn: boolean
  readonly toggle: () => void
}

/**
 * The whole window for one part of the page. The document goes full screen, not the part, so that drawers and
 * confirmations, which hang on the body, can still be seen.
 */
export function useFullScreen(): FullScreen {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    const onChange = () => {
      if (document.fullscreenElement === null) setOn(false)
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [])
  return {
    isOn,
    toggle: () => {
      setOn(!isOn)
      // Refused on some phones: then the part fills the window all the same.
      if (isOn) void document.exitFullscreen?.().catch(() => {})
      else void document.documentElement.requestFullscreen?.().catch(() => {})
    },
  }
}
