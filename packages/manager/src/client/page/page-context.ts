import { createContext, useContext, useSyncExternalStore } from 'react'
import type { PageState, PageStore } from '../api/page-store.ts'
import type { HostWorkspace } from '../host/contract.ts'
import type { Translate } from '../locales/index.ts'
import type { Text } from '../model/server-row.ts'

/** What every part of the page may use. */
export interface Page {
  readonly t: Translate
  readonly store: PageStore
  /** The host's own list of workspaces, for their titles; empty where the host has none. */
  readonly hostWorkspaces: readonly HostWorkspace[]
  /** Shows a short message. */
  readonly say: (message: string) => void
}

export const PageContext = createContext<Page | undefined>(undefined)

/** The page around a component. */
export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === undefined) throw new Error('outside of the MCP page')
  return page
}

/** The page's data; drawn again when the chosen part changes. */
export function usePageState<Value>(choose: (state: PageState) => Value): Value {
  const { store } = usePage()
  return useSyncExternalStore(store.subscribe, () => choose(store.current()))
}

/** Puts a text of the models into words. */
export function useWords(): (text: Text | string) => string {
  const { t } = usePage()
  return (text) => (typeof text === 'string' ? text : t(text.key, text.params))
}
