import { renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useLive } from '#lib/live/use-live.ts'
import { toast } from '#lib/toast/toast.ts'

const webSocket = globalThis.WebSocket
afterEach(() => {
  globalThis.WebSocket = webSocket
})

it('network 4: a browser without sockets says so, and the channel is down', () => {
  Reflect.deleteProperty(globalThis, 'WebSocket')
  const error = vi.spyOn(toast, 'error').mockImplementation(() => {})
  const { result } = renderHook(() => useLive({ kind: 'router', router_name: 'r1' }, () => {}))
  expect(error).toHaveBeenCalledExactlyOnceWith('Your browser does not support it socket')
  expect(result.current).toBe('down')
})
