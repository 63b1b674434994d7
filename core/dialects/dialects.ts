import type { Dialect } from '../contract/kinds'
import { anthropic } from './anthropic/anthropic'
import type { DialectModule } from './dialect'
import { gemini } from './gemini/gemini'
import { openAiChat } from './openai-chat/openai-chat'
import { openAiResponses } from './openai-responses/openai-responses'

export const dialectModules: Readonly<Record<Dialect, DialectModule>> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
}
