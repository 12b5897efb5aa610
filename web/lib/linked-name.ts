import { useLocation } from 'react-router'

/* Name of the object that a link leads to, kept in the state of the navigation: the page has its title before its data. */

export const withLinkedName = (name: string) => ({ linkedName: name })

export function readLinkedName(state: unknown): string | undefined {
  const name: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'linkedName') : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

export const useLinkedName = (): string | undefined => readLinkedName(useLocation().state)
