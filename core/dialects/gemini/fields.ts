// What becomes of each member of a generateContent request on its way to another dialect: ai.google.dev/api/
// generate-content. Top-level members have two rows, one for each of their spellings.
import type { FieldFate, FieldRule } from '../translation'
import { snakeName } from './members'

type Fates = FieldRule['to']

const everywhere = (fate: FieldFate): Fates => ({ 'openai-chat': fate, 'openai-responses': fate, anthropic: fate })

const fates = (chat: FieldFate, responses: FieldFate, anthropic: FieldFate): Fates => ({
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
})

const MAPPED = everywhere('mapped')
const DROPPED = everywhere('dropped')
const REFUSED = everywhere('refused')

const SERVER_TOOL = 'Only Google can run this tool: without it the model would make up what it found.'
const ANSWER_DETAIL = 'Asks for more detail in the answer, not for another answer.'

const topLevel: readonly FieldRule[] = [
  { field: 'model', to: MAPPED, note: 'The model in the URL counts.', example: 'models/gemini-2.5-pro' },
  { field: 'contents', to: MAPPED, example: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  { field: 'systemInstruction', to: MAPPED, example: { parts: [{ text: 'Be brief.' }] } },
  { field: 'tools', to: MAPPED, example: [{ functionDeclarations: [{ name: 'read' }] }] },
  { field: 'toolConfig', to: MAPPED, example: { functionCallingConfig: { mode: 'AUTO' } } },
  { field: 'generationConfig', to: MAPPED, example: { maxOutputTokens: 4096 } },
  {
    field: 'safetySettings',
    to: DROPPED,
    harmless: [[]],
    note: 'Filters of Google; other providers have their own.',
    example: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  },
  {
    field: 'cachedContent',
    to: REFUSED,
    harmless: [''],
    note: 'Only Google holds that part of the conversation. Send it as contents.',
    example: 'cachedContents/abc',
  },
  { field: 'labels', to: DROPPED, harmless: [{}], note: "Marks on Google's bill.", example: { team: 'docs' } },
  { field: 'serviceTier', to: DROPPED, note: 'A tier of Google.', example: 'flex' },
  { field: 'store', to: DROPPED, harmless: [false], note: "Whether it appears in Google's own log.", example: true },
  {
    field: 'continuationToken',
    to: REFUSED,
    harmless: [''],
    note: 'Only Google can go on with the answer it stands for.',
    example: 'dG9rZW4=',
  },
]

const nested: readonly FieldRule[] = [
  {
    field: 'contents[].role',
    to: MAPPED,
    note: 'Missing: user. "function" is user.',
    example: 'model',
  },
  { field: 'contents[].parts[].text', to: MAPPED, example: 'Hello' },
  { field: 'contents[].parts[].thought', to: MAPPED, note: 'Its issuer alone gets it back.', example: true },
  { field: 'contents[].parts[].thoughtSignature', to: MAPPED, note: 'Its issuer alone gets it back.', example: 'c2ln' },
  {
    field: 'contents[].parts[].inlineData',
    to: MAPPED,
    note: 'Images, documents and sound as far as the other side takes them; video is refused.',
    example: { mimeType: 'image/png', data: 'iVBORw0KGgo=' },
  },
  {
    field: 'contents[].parts[].fileData',
    to: MAPPED,
    note: 'Public URLs. Files uploaded to Google are refused: only Google can read them.',
    example: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' },
  },
  { field: 'contents[].parts[].functionCall', to: MAPPED, example: { name: 'read', args: { path: 'a' } } },
  {
    field: 'contents[].parts[].functionResponse',
    to: MAPPED,
    note: 'Tied to its call by id, else by name and order.',
    example: { name: 'read', response: { output: 'text' } },
  },
  {
    field: 'contents[].parts[].executableCode',
    to: MAPPED,
    note: 'Told as text.',
    example: { language: 'PYTHON', code: 'print(1)' },
  },
  {
    field: 'contents[].parts[].codeExecutionResult',
    to: MAPPED,
    note: 'Told as text.',
    example: { outcome: 'OUTCOME_OK', output: '1' },
  },
  { field: 'contents[].parts[].videoMetadata', to: DROPPED, example: { fps: 1 } },
  { field: 'contents[].parts[].mediaResolution', to: DROPPED, example: { level: 'MEDIA_RESOLUTION_LOW' } },
  { field: 'contents[].parts[].partMetadata', to: DROPPED, example: { source: 'a' } },
  {
    field: 'contents[].parts[].toolCall',
    to: DROPPED,
    note: 'A call Google answered itself.',
    example: { id: '1', toolType: 'GOOGLE_SEARCH_WEB' },
  },
  {
    field: 'contents[].parts[].toolResponse',
    to: DROPPED,
    note: 'The answer to it.',
    example: { id: '1', toolType: 'GOOGLE_SEARCH_WEB' },
  },
  { field: 'tools[].functionDeclarations[].name', to: MAPPED, example: 'read' },
  { field: 'tools[].functionDeclarations[].description', to: MAPPED, example: 'Reads a file.' },
  { field: 'tools[].functionDeclarations[].parameters', to: MAPPED, example: { type: 'OBJECT', properties: {} } },
  {
    field: 'tools[].functionDeclarations[].parametersJsonSchema',
    to: MAPPED,
    example: { type: 'object', properties: {} },
  },
  { field: 'tools[].functionDeclarations[].response', to: DROPPED, example: { type: 'STRING' } },
  { field: 'tools[].functionDeclarations[].responseJsonSchema', to: DROPPED, example: { type: 'string' } },
  { field: 'tools[].functionDeclarations[].behavior', to: DROPPED, example: 'BLOCKING' },
  { field: 'tools[].googleSearch', to: REFUSED, note: SERVER_TOOL, example: {} },
  { field: 'tools[].googleSearchRetrieval', to: REFUSED, note: SERVER_TOOL, example: {} },
  { field: 'tools[].googleMaps', to: REFUSED, note: SERVER_TOOL, example: {} },
  { field: 'tools[].urlContext', to: REFUSED, note: SERVER_TOOL, example: {} },
  { field: 'tools[].fileSearch', to: REFUSED, note: SERVER_TOOL, example: { fileSearchStoreNames: ['a'] } },
  { field: 'tools[].computerUse', to: REFUSED, note: SERVER_TOOL, example: { environment: 'ENVIRONMENT_BROWSER' } },
  { field: 'tools[].mcpServers', to: REFUSED, note: SERVER_TOOL, example: [{ name: 'a' }] },
  {
    field: 'tools[].codeExecution',
    to: DROPPED,
    note: 'The model answers without running code.',
    example: {},
  },
  {
    field: 'toolConfig.functionCallingConfig.mode',
    to: MAPPED,
    note: 'VALIDATED becomes the automatic choice.',
    example: 'ANY',
  },
  {
    field: 'toolConfig.functionCallingConfig.allowedFunctionNames',
    to: MAPPED,
    note: 'One: this function must be called. Several: the others are left out.',
    example: ['read'],
  },
  { field: 'toolConfig.retrievalConfig', to: DROPPED, example: { languageCode: 'en' } },
  { field: 'toolConfig.includeServerSideToolInvocations', to: DROPPED, example: true },
  {
    field: 'generationConfig.candidateCount',
    to: REFUSED,
    harmless: [1],
    note: 'One answer at a time can be carried.',
    example: 2,
  },
  {
    field: 'generationConfig.stopSequences',
    to: fates('mapped', 'dropped', 'mapped'),
    note: 'Responses has no stop words.',
    example: ['END'],
  },
  { field: 'generationConfig.maxOutputTokens', to: MAPPED, example: 4096 },
  { field: 'generationConfig.temperature', to: everywhere('carried'), example: 0.5 },
  { field: 'generationConfig.topP', to: MAPPED, example: 0.9 },
  {
    field: 'generationConfig.topK',
    to: fates('dropped', 'dropped', 'mapped'),
    note: 'OpenAI has no such limit.',
    example: 40,
  },
  { field: 'generationConfig.seed', to: fates('carried', 'dropped', 'dropped'), note: 'Only Chat has it.', example: 7 },
  {
    field: 'generationConfig.presencePenalty',
    to: fates('mapped', 'dropped', 'dropped'),
    note: 'Only Chat has it.',
    example: 0.5,
  },
  {
    field: 'generationConfig.frequencyPenalty',
    to: fates('mapped', 'dropped', 'dropped'),
    note: 'Only Chat has it.',
    example: 0.5,
  },
  {
    field: 'generationConfig.responseMimeType',
    to: MAPPED,
    note: 'text/plain and application/json; others are refused.',
    example: 'application/json',
  },
  {
    field: 'generationConfig.responseSchema',
    to: MAPPED,
    example: { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
  },
  {
    field: 'generationConfig.responseJsonSchema',
    to: MAPPED,
    example: { type: 'object', properties: { a: { type: 'string' } } },
  },
  {
    field: 'generationConfig.responseModalities',
    to: REFUSED,
    harmless: [['TEXT'], []],
    note: 'Images and sound as an answer cannot be carried.',
    example: ['IMAGE'],
  },
  { field: 'generationConfig.thinkingConfig.thinkingBudget', to: MAPPED, example: 2048 },
  { field: 'generationConfig.thinkingConfig.thinkingLevel', to: MAPPED, example: 'HIGH' },
  { field: 'generationConfig.thinkingConfig.includeThoughts', to: MAPPED, example: true },
  { field: 'generationConfig.speechConfig', to: DROPPED, example: { languageCode: 'en-US' } },
  { field: 'generationConfig.imageConfig', to: DROPPED, example: { aspectRatio: '1:1' } },
  { field: 'generationConfig.mediaResolution', to: DROPPED, example: 'MEDIA_RESOLUTION_LOW' },
  {
    field: 'generationConfig.responseLogprobs',
    to: DROPPED,
    harmless: [false],
    note: ANSWER_DETAIL,
    example: true,
  },
  { field: 'generationConfig.logprobs', to: DROPPED, note: ANSWER_DETAIL, example: 5 },
  { field: 'generationConfig.audioTimestamp', to: DROPPED, harmless: [false], example: true },
  { field: 'generationConfig.enableEnhancedCivicAnswers', to: DROPPED, harmless: [false], example: true },
  { field: 'generationConfig.routingConfig', to: DROPPED, example: {} },
  { field: 'generationConfig.modelSelectionConfig', to: DROPPED, example: {} },
]

const otherSpelling = (rules: readonly FieldRule[]): readonly FieldRule[] =>
  rules
    .map((rule) => ({ ...rule, field: snakeName(rule.field), note: rule.note ?? `Other spelling of ${rule.field}.` }))
    .filter((rule, at) => rule.field !== rules[at]?.field)

export const fields: readonly FieldRule[] = [...topLevel, ...otherSpelling(topLevel), ...nested]
