import { useCallback, useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../api/request.ts'
import type { Translate } from '../locales/index.ts'
import { usePage } from './page-context.ts'

/** Work that a person started: whether it runs, what went wrong last, how to start and stop it. */
export interface Action {
  readonly busy: boolean
  readonly failure: string | undefined
  /** Field named by the host's refusal. */
  readonly field: string | undefined
  run(work: (signal: AbortSignal) => Promise<void>): void
  stop(): void
  clear(): void
}

/** One piece of work at a time; it is stopped when the component goes. */
export function useAction(): Action {
  const { t } = usePage()
  const [state, setState] = useState<Pick<Action, 'busy' | 'failure' | 'field'>>(idle)
  const running = useRef<AbortController>()
  useEffect(() => () => running.current?.abort(), [])

  const run = useCallback(
    (work: (signal: AbortSignal) => Promise<void>) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setState({ busy: true, failure: undefined, field: undefined })
      void work(controller.signal).then(
        () => {
          if (!controller.signal.aborted) setState(idle)
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setState({ busy: false, ...failureText(t, error) })
        },
      )
    },
    [t],
  )
  const stop = useCallback(() => {
    running.current?.abort()
    setState(idle)
  }, [])
  const clear = useCallback(() => setState((now) => (now.busy ? now : idle)), [])
  return { ...state, run, stop, clear }
}

const idle = { busy: false, failure: undefined, field: undefined } as const

/** A failure in words: the host's own where it has some. */
export function failureText(t: Translate, error: unknown): { failure: string; field: string | undefined } {
  if (!(error instanceof RequestFailure)) return { failure: t('actionFailed'), field: undefined }
  const words = (): string => {
    switch (error.kind) {
      case 'offline':
        return t('troubleOffline')
      case 'absent':
        return t('troubleAbsent')
      case 'unauthorized':
        return t('troubleUnauthorized')
      case 'forbidden':
        return error.message === '' ? t('troubleForbidden') : error.message
      default:
        if (error.chinese !== undefined && t('language') === 'zh') {
          return t('withDetail', { text: error.chinese, detail: error.message })
        }
        return error.message === '' ? t('actionFailed') : error.message
    }
  }
  return { failure: words(), field: error.field }
}
