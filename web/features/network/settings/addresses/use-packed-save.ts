import { useState } from 'react'
import { ApiError } from '#lib/call/transport.ts'

/** A save that may give members new addresses: the service says how many, and does it once the person has agreed. */
export function usePackedSave<T>(send: (values: T & { readonly pack: 0 | 1 }) => Promise<unknown>) {
  const [asked, setAsked] = useState<{ readonly key: string; readonly message: string } | null>(null)
  return {
    /** Question to agree to; the next save of the same values agrees. */
    question: asked?.message ?? null,
    submitText: asked === null ? '保存' : '重新分配并保存',
    /** Saves the values; resolves to whether they were saved. */
    save: async (values: T): Promise<boolean> => {
      const key = JSON.stringify(values)
      try {
        await send({ ...values, pack: asked?.key === key ? 1 : 0 })
        return true
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'HOSTS_OUTSIDE') throw error
        setAsked({ key, message: error.msg })
        return false
      }
    },
  }
}
