// /api/oauth: signing a connection in with an account.
import { z } from 'zod'
import { OPERATIONS } from '../../contract/operations'
import { SignInView } from '../../contract/views'
import { connectionJson, RestConnection } from './connection-json'
import { DONE, Done } from './fields'
import { type ManagementRoute, route } from './route'

const [withCode, withDevice] = OPERATIONS['oauth:begin'].output.options
const Begun = z.discriminatedUnion('kind', [
  withCode,
  withDevice,
  z.object({ kind: z.literal('done'), connection: RestConnection }),
])

export const oauthRoutes: readonly ManagementRoute[] = [
  route({
    method: 'POST',
    path: '/api/oauth',
    about:
      'Begins a sign-in: `code` gives an address to open in a browser on this machine, `device` a code to enter elsewhere, `tokens` takes tokens from elsewhere. Fields left out are those of the connection’s sign-in, else of the provider.',
    body: z.strictObject(OPERATIONS['oauth:begin'].input.shape),
    status: 201,
    answer: Begun,
    async run({ body }, { operations }) {
      const begun = await operations['oauth:begin'](body)
      return begun.kind === 'done' ? { kind: 'done', ...(await connectionJson(begun.connection, operations)) } : begun
    },
  }),
  route({
    method: 'GET',
    path: '/api/oauth/{signInId}',
    about: 'How a sign-in goes.',
    answer: SignInView,
    run: ({ params }, { operations }) => operations['oauth:state']({ signInId: params.signInId ?? '' }),
  }),
  route({
    method: 'DELETE',
    path: '/api/oauth/{signInId}',
    about: 'Gives a sign-in up.',
    answer: Done,
    async run({ params }, { operations }) {
      await operations['oauth:cancel']({ signInId: params.signInId ?? '' })
      return DONE
    },
  }),
]
