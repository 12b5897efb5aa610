import { useCallback, useEffect, useRef, useState } from 'react'
import { Refused } from './requests.ts'

const FAULT = '操作失败，请稍后重试'

/** Runs one action at a time, and keeps the sentence of its failure until the next. */
export function useTask() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const isRunning = useRef(false)
  const run = useCallback(async (work: () => Promise<void>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setFailure('')
    try {
      await work()
    } catch (error) {
      setFailure(error instanceof Refused ? error.message : FAULT)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }, [])
  return { isBusy, failure, run }
}

/** Reads when the component appears, and again on `reload`. `read` has to be stable. */
export function useRead<T>(read: () => Promise<T>) {
  const [state, setState] = useState<{ readonly data: T | null; readonly failure: Error | null }>(UNREAD)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const show = (next: typeof state) => {
      if (isCurrent) setState(next)
    }
    read().then(
      (data) => show({ data, failure: null }),
      (error: unknown) => show({ data: null, failure: error instanceof Error ? error : new Error(FAULT) }),
    )
    return () => {
      isCurrent = false
    }
  }, [read, turn])
  return { ...state, reload: () => setTurn((last) => last + 1) }
}

const UNREAD = { data: null, failure: null }
