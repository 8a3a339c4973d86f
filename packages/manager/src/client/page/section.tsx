import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ServerView } from '../../web/api-types.ts'
import type { PageStore } from '../api/page-store.ts'
import type { HostWorkspace, SectionProps } from '../host/contract.ts'
import { Toast } from '../host/primitives.tsx'
import { typed } from '../locales/index.ts'
import type { FormScope } from '../model/server-form.ts'
import { ImportView } from './import-view.tsx'
import { PageContext, type Page } from './page-context.ts'
import { ServerForm } from './server-form.tsx'
import { ServerList } from './server-list.tsx'
import { PageBoundary } from './trouble.tsx'

type View =
  | { readonly kind: 'list' }
  | { readonly kind: 'form'; readonly server: ServerView | undefined; readonly scope: FormScope }
  | { readonly kind: 'import' }

const noWorkspaces: readonly HostWorkspace[] = []

/** The page under Settings → MCP, over the plugin's one store. */
export function Section(props: SectionProps & { readonly store: PageStore }) {
  const t = typed(props.t)
  return (
    <div className="mcp-page">
      <PageBoundary title={t('crashed')} retry={t('retry')}>
        {props.useWorkspaces === undefined ? (
          <Views {...props} hostWorkspaces={noWorkspaces} />
        ) : (
          <WithWorkspaces {...props} useWorkspaces={props.useWorkspaces} />
        )}
      </PageBoundary>
    </div>
  )
}

type ViewsProps = SectionProps & { readonly store: PageStore; readonly hostWorkspaces: readonly HostWorkspace[] }

function WithWorkspaces(
  props: SectionProps & { readonly store: PageStore } & Required<Pick<SectionProps, 'useWorkspaces'>>,
) {
  const { useWorkspaces } = props
  const items = useWorkspaces((state) => state?.items)
  return <Views {...props} hostWorkspaces={Array.isArray(items) ? items : noWorkspaces} />
}

function Views({ t: translate, store, hostWorkspaces }: ViewsProps) {
  const [view, setView] = useState<View>({ kind: 'list' })
  const [workspace, setWorkspace] = useState('')
  const [message, setMessage] = useState<{ readonly text: string; readonly number: number }>()
  const number = useRef(0)
  const root = useRef<HTMLDivElement>(null)
  const cameBack = useRef(false)

  const say = useCallback((text: string) => setMessage({ text, number: ++number.current }), [])
  // The host's function stays the same when the language changes; a text of it tells.
  const language = typed(translate)('title')
  const page = useMemo<Page>(
    () => ({ t: typed(translate), store, hostWorkspaces, say }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [translate, language, store, hostWorkspaces, say],
  )
  const back = useCallback(() => {
    cameBack.current = true
    setView({ kind: 'list' })
  }, [])
  const edit = useCallback((server: ServerView, path: string | undefined) => {
    const scope: FormScope = path === undefined ? { kind: 'global' } : { kind: 'workspace', path }
    setView({ kind: 'form', server, scope })
  }, [])

  // A view that replaced another one starts at its top, and the keyboard goes on in the list after a form.
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'start' })
    if (view.kind !== 'list' || !cameBack.current) return
    cameBack.current = false
    root.current?.querySelector<HTMLElement>('button')?.focus()
  }, [view])

  const add = (): void => {
    const scope: FormScope = workspace === '' ? { kind: 'global' } : { kind: 'workspace', path: workspace }
    setView({ kind: 'form', server: undefined, scope })
  }
  return (
    <PageContext.Provider value={page}>
      <div ref={root} className="mcp-view" data-view={view.kind}>
        {view.kind === 'list' && (
          <ServerList
            workspace={workspace}
            onWorkspace={setWorkspace}
            onAdd={add}
            onImport={() => setView({ kind: 'import' })}
            onEdit={edit}
          />
        )}
        {view.kind === 'form' && <ServerForm server={view.server} scope={view.scope} onDone={back} />}
        {view.kind === 'import' && <ImportView onDone={back} />}
      </div>
      {message !== undefined && <Toast key={message.number} text={message.text} onDone={() => setMessage(undefined)} />}
    </PageContext.Provider>
  )
}
