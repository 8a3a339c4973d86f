import { useEffect, useRef, useState } from 'react'
import type { ServerView, TestReply } from '../../web/api-types.ts'
import { Button } from '../host/primitives.tsx'
import { problemsOf, type FormProblems } from '../model/form-problems.ts'
import {
  bodyOf,
  emptyForm,
  formOf,
  personLogsIn,
  type FormScope,
  type ServerForm as Form,
} from '../model/server-form.ts'
import { Choice } from './choice.tsx'
import { Failure, Field, Select, type ProblemOf } from './controls.tsx'
import { FormHttp } from './form-http.tsx'
import { FormStdio } from './form-stdio.tsx'
import { usePage, usePageState } from './page-context.ts'
import { TestResult } from './test-result.tsx'
import { TextField } from './text-field.tsx'
import { useAction } from './use-action.ts'
import { workspaceOptions } from './workspace-options.ts'

interface ServerFormProps {
  /** The server to change; absent for a new one. */
  readonly server: ServerView | undefined
  readonly scope: FormScope
  readonly onDone: () => void
}

/** Add or edit a server. */
export function ServerForm({ server, scope, onDone }: ServerFormProps) {
  const { t, store } = usePage()
  const [form, setForm] = useState<Form>(() => (server === undefined ? emptyForm(scope) : formOf(server, scope)))
  const [told, setTold] = useState(false)
  const save = useAction()
  const test = useAction()
  const [result, setResult] = useState<TestReply>()
  const top = useRef<HTMLFormElement>(null)
  const taken = usePageState((state) => namesOf(state.servers, state.workspaces, server?.id))

  useEffect(() => {
    top.current?.querySelector<HTMLElement>('input, select')?.focus()
  }, [])

  const refusedField = save.field
  const [toldAtField, setToldAtField] = useState(false)
  useEffect(() => {
    if (refusedField !== undefined) setToldAtField(showFirstProblem(top.current))
  }, [refusedField])

  const hasToken = server?.authMode === 'static'
  const problems: FormProblems = problemsOf(form, { taken: new Set(taken.split('\n')), hasToken })
  const problemOf: ProblemOf = (field) => {
    const problem = problems[field]
    if (told && problem !== undefined) return t(problem)
    return save.field === field ? save.failure : undefined
  }
  const checked = (work: () => void): void => {
    setTold(true)
    if (Object.keys(problems).length === 0) work()
    else requestAnimationFrame(() => showFirstProblem(top.current))
  }
  const send = async (): Promise<void> => {
    const body = bodyOf(form)
    if (form.scope.kind === 'workspace') {
      const { path } = form.scope
      const reply =
        server === undefined
          ? await store.api.workspaceAdd(path, body)
          : await store.api.workspaceChange(path, server.name, body)
      store.putWorkspaces(reply.workspaces)
      return
    }
    const reply = server === undefined ? await store.api.add(body) : await store.api.change(server.id, body)
    store.put(reply.server)
  }
  const onSave = (): void =>
    save.run(async () => {
      await send()
      void store.refresh()
      onDone()
    })
  const onTest = (): void => {
    setResult(undefined)
    const kept = server === undefined ? {} : { id: server.id }
    const place = form.scope.kind === 'workspace' ? { path: form.scope.path } : {}
    test.run(async (signal) => setResult(await store.api.test({ ...bodyOf(form), ...kept, ...place }, signal)))
  }

  return (
    <form
      ref={top}
      className="mcp-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        checked(onSave)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone()
      }}
    >
      <h3 className="mcp-form-title">{server === undefined ? t('formAdd') : t('formEdit', { name: server.name })}</h3>
      {server === undefined && <ScopeFields form={form} onChange={setForm} />}
      <TextField
        label={t('fieldName')}
        hint={t('hintName', { name: form.name.trim() || '…' })}
        problem={problemOf('name')}
        value={form.name}
        onChange={(name) => setForm({ ...form, name })}
      />
      <Choice
        legend={t('fieldType')}
        value={form.type}
        options={[
          ['http', 'typeHttp'],
          ['stdio', 'typeStdio'],
        ]}
        onChange={(type) => setForm({ ...form, type })}
      />
      {form.type === 'stdio' ? (
        <FormStdio form={form} problemOf={problemOf} onChange={setForm} />
      ) : (
        <FormHttp serverId={server?.id} form={form} problemOf={problemOf} onChange={setForm} />
      )}
      {told && Object.keys(problems).length > 0 && <Failure text={t('formProblems')} />}
      {(save.field === undefined || !toldAtField) && <Failure text={save.failure} />}
      <Failure text={test.failure} />
      {result !== undefined && <TestResult result={result} personLogsIn={personLogsIn(form)} />}
      <div className="mcp-actions mcp-form-foot">
        <Button type="submit" variant="primary" disabled={save.busy}>
          {save.busy ? t('saving') : t('save')}
        </Button>
        <Button disabled={test.busy} onClick={() => checked(onTest)}>
          {test.busy ? t('testing') : t('test')}
        </Button>
        {test.busy && <Button onClick={test.stop}>{t('testStop')}</Button>}
        <Button variant="ghost" onClick={onDone}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

/**
 * Focuses the first field with a problem, and unfolds the parts it is folded in: a folded field takes no focus. False when
 * there is none: the host may name a whole table, or what the form does not show.
 */
function showFirstProblem(form: HTMLElement | null): boolean {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  for (let fold = field?.closest('details'); fold != null; fold = fold.parentElement?.closest('details')) {
    fold.open = true
  }
  field?.focus()
  return field != null
}

/** One text, so that an unchanged list stays the same value. */
function namesOf(
  servers: readonly ServerView[],
  workspaces: readonly { readonly servers: readonly ServerView[] }[],
  except: string | undefined,
): string {
  const all = [...servers, ...workspaces.flatMap((workspace) => workspace.servers)]
  return all
    .filter((one) => one.id !== except)
    .map((one) => one.name)
    .join('\n')
}

function ScopeFields({ form, onChange }: { readonly form: Form; readonly onChange: (form: Form) => void }) {
  const { t, hostWorkspaces } = usePage()
  const known = usePageState((state) => state.workspaces)
  const options = workspaceOptions(known, hostWorkspaces)
  const first = options[0]
  if (first === undefined) return null
  return (
    <div className="mcp-columns">
      <Field label={t('fieldScope')}>
        {({ id }) => (
          <Select
            id={id}
            label={t('fieldScope')}
            value={form.scope.kind}
            options={[
              { value: 'global', text: t('scopeUser') },
              { value: 'workspace', text: t('scopeWorkspace') },
            ]}
            onChange={(kind) =>
              onChange({ ...form, scope: kind === 'global' ? { kind } : { kind: 'workspace', path: first.value } })
            }
          />
        )}
      </Field>
      {form.scope.kind === 'workspace' && (
        <Field label={t('fieldWorkspace')}>
          {({ id }) => (
            <Select
              id={id}
              label={t('fieldWorkspace')}
              value={form.scope.kind === 'workspace' ? form.scope.path : ''}
              options={options}
              onChange={(path) => onChange({ ...form, scope: { kind: 'workspace', path } })}
            />
          )}
        </Field>
      )}
    </div>
  )
}
