// The form of a connection to be added, in the panel and in the first run: a provider is chosen, what it needs is
// entered, and it is saved or signed in to.
import { useState } from 'react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { checkDraft, type Draft, type DraftErrors, emptyDraft, planTest, type TestPlan } from './draft'
import { formFields, placeError, SIGN_IN_FIELDS } from './place-error'
import { addConnection } from './save'
import { checkSignIn, emptySignIn, type SignInDraft, toBegin } from './sign-in-draft'
import { beginSignIn, forgetSignIn } from './sign-in-store'
import { type Test, useTest } from './use-test'

interface Said {
  readonly errors: DraftErrors
  readonly general: string | null
  readonly busy: boolean
}
const CLEAN: Said = { errors: {}, general: null, busy: false }

const namesOf = (providers: readonly ProviderView[], id: string): string[] =>
  providers.find((provider) => provider.id === id)?.connections.map(({ name }) => name) ?? []

export interface AddForm extends Said {
  /** null: no provider is chosen yet. */
  readonly draft: Draft | null
  /** The chosen one; null for an endpoint that is not added yet. */
  readonly provider: ProviderView | null
  /** null: it takes a key, or nothing. */
  readonly signIn: SignInDraft | null
  readonly plan: TestPlan | null
  readonly test: Test
  readonly saveWord: string
  readonly choose: (id: string) => void
  readonly chooseAgain: () => void
  readonly change: (part: Partial<Draft>) => void
  readonly changeSignIn: (part: Partial<SignInDraft>) => void
  readonly runTest: () => void
  /** The connection; null where something is wrong, or where a sign-in has begun. */
  readonly save: () => Promise<ConnectionView | null>
}

export function useAddForm(providers: readonly ProviderView[], first: string | null): AddForm {
  const [draft, setDraft] = useState<Draft | null>(() =>
    first === null ? null : emptyDraft(first, namesOf(providers, first)),
  )
  const [entered, setEntered] = useState<SignInDraft>(emptySignIn)
  const [said, setSaid] = useState(CLEAN)
  const test = useTest()
  const provider = providers.find(({ id }) => id === draft?.provider) ?? null
  const signIn = provider !== null && provider.signIn !== null ? entered : null
  const plan = draft === null ? null : planTest(draft, { provider, editing: null })

  const begin = async (form: Draft, to: ProviderView): Promise<void> => {
    const refused = await beginSignIn('add', to.label, toBegin(form, entered, null))
    setSaid(refused === null ? CLEAN : { ...CLEAN, ...placeError(refused, [...formFields(to), ...SIGN_IN_FIELDS]) })
  }
  const add = async (form: Draft): Promise<ConnectionView | null> => {
    const { answer, draft: next } = await addConnection(form)
    setDraft(next)
    setSaid(answer.ok ? CLEAN : { ...CLEAN, ...placeError(answer.error, formFields(provider)) })
    return answer.ok ? answer.value : null
  }

  return {
    ...said,
    ...{ draft, provider, signIn, plan, test },
    saveWord: wordOf(signIn, said.busy),
    choose: (id) => {
      setDraft(emptyDraft(id, namesOf(providers, id)))
      setSaid(CLEAN)
      test.reset()
    },
    chooseAgain: () => {
      setDraft(null)
      setSaid(CLEAN)
      test.reset()
      forgetSignIn()
    },
    change: (part) => {
      if (draft !== null) setDraft({ ...draft, ...part })
      setSaid(CLEAN)
    },
    changeSignIn: (part) => {
      setEntered({ ...entered, ...part })
      setSaid(CLEAN)
    },
    runTest: () => {
      if (plan?.kind === 'test') void test.run(plan.input)
    },
    save: async () => {
      if (draft === null) return null
      const errors = {
        ...checkDraft(draft, { provider, editing: null }),
        ...(signIn !== null && provider !== null ? checkSignIn(signIn, { provider, connection: null }) : {}),
      }
      if (Object.keys(errors).length > 0) {
        setSaid({ ...CLEAN, errors })
        return null
      }
      setSaid({ ...CLEAN, busy: true })
      if (signIn === null || provider === null) return add(draft)
      await begin(draft, provider)
      return null
    },
  }
}

function wordOf(signIn: SignInDraft | null, busy: boolean): string {
  if (signIn === null || signIn.method === 'tokens') return busy ? 'Saving…' : 'Save'
  return busy ? 'Signing in…' : 'Sign in'
}
