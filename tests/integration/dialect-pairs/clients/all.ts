// Every official client of the matrix.
import { aiSdkClients } from './ai-sdk'
import { anthropic } from './anthropic'
import type { ClientKind } from './client'
import { google } from './google'
import { openAiChat } from './openai-chat'
import { openAiResponses } from './openai-responses'

export const CLIENTS: readonly ClientKind[] = [openAiChat, openAiResponses, anthropic, google, ...aiSdkClients]
