import type { Dialect } from '../contract/kinds'
import { anthropic } from './anthropic/anthropic'
import type { DialectModule } from './dialect'
import { openAiChat } from './openai-chat/openai-chat'

export const dialectModules: Readonly<Record<Dialect, DialectModule>> = { 'openai-chat': openAiChat, anthropic }
